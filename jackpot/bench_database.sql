-- bench_database: a database for the baselines, beside the ledger's own and on the same Postgres.
CREATE DATABASE bench
