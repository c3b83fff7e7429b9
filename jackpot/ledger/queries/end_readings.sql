-- end_readings: end the connections on which readings were given up, where they are there still. A backend whose COMMIT waits for a
-- standby does not notice that nobody listens any more: one more would wait each second, until Postgres lets nobody in.
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE pid = ANY ($1::int[]) AND application_name = $2 AND usename = current_user
