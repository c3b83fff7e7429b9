-- bench_empty: no bare rows, so that a row that is written is never there.
TRUNCATE bench_rows
