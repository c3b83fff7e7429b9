-- load_holders: how far each table has handed in.
SELECT "table", generation, commit, complete, hits, shown, stop_us FROM holder WHERE chain = $1 ORDER BY "table"
