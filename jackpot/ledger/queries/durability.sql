-- durability: what a COMMIT on this connection means: is this the primary, does it sync, does it wait for a standby.
-- A standby is what says how far it has replayed. Whatever takes a backup or keeps the log (pg_basebackup, pg_receivewal
-- and what runs them, such as barman) is connected as one is and replays nothing; a logical subscriber replays into a
-- database of its own, in a logical slot: neither ever takes over. A role that may not see it sees null
-- (pg_read_all_stats): then what the site says of its standby is all that is known.
SELECT
    NOT pg_is_in_recovery() AS "primary",
    current_setting('fsync')::boolean AS fsync,
    current_setting('full_page_writes')::boolean AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS standby_names,
    (
        SELECT count(*)::integer FROM pg_stat_replication AS sender
        WHERE sender.replay_lsn IS NOT NULL AND NOT EXISTS (
            SELECT FROM pg_replication_slots WHERE active_pid = sender.pid AND slot_type = 'logical')
    ) AS standbys
