-- load_rounds: the open rounds, in the order in which they were opened.
SELECT "table", journal, round, month, terms, commit, time_us, runs, epochs, withdrawn, stale_display
FROM open_round WHERE chain = $1 ORDER BY commit, "table", journal, round
