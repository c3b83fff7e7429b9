-- watch_database: how large the ledger's database is, how many connections it has, and how many Postgres allows.
SELECT
    pg_database_size(current_database()) AS size,
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
    current_setting('max_connections')::bigint AS connections_limit
