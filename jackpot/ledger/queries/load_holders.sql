-- load_holders: how far each spool of each table, or of the one table, has handed in; a table's newest receipt is last.
SELECT "table", spool, generation, commit, complete, hits, shown, stop_us
FROM holder
WHERE chain = $1 AND ($2::text = '' OR "table" = $2)
ORDER BY "table", generation, commit
