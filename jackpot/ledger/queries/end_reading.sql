-- end_reading: end the connection on which a reading was given up, where it is there still. A backend whose COMMIT waits for a
-- standby does not notice that nobody listens any more: one more would wait each second, until Postgres lets nobody in.
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE pid = $1 AND application_name = $2 AND usename = current_user
