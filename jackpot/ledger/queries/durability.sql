-- durability: what a COMMIT on this connection means: is this the primary, does it sync, does it wait for a standby.
-- Postgres' own programs that take a backup, or keep its log, are connected as a standby is, and never take over.
SELECT
    NOT pg_is_in_recovery() AS "primary",
    current_setting('fsync')::boolean AS fsync,
    current_setting('full_page_writes')::boolean AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS standby_names,
    (
        SELECT count(*)::integer FROM pg_stat_replication
        WHERE application_name IS NULL OR application_name NOT IN ('pg_basebackup', 'pg_receivewal')
    ) AS standbys
