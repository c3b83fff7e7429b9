-- load_holders: how far each spool of each table has handed in; the one with the newest receipt of a table is last.
SELECT "table", spool, generation, commit, complete, hits, shown, stop_us
FROM holder
WHERE chain = $1
ORDER BY "table", generation, commit
