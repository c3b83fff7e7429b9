-- bench_count: the accepted wagers the ledger holds, one row a seat.
SELECT count(*) FROM wager
