-- The three roles of the ledger and its database. Run once by an administrator of the cluster, after passwords.psql in
-- the same psql:  psql -f passwords.psql -f roles.sql
--
--   owner    owns the schema; `jackpot migrate` alone connects as it
--   service  the server and the commands: appends, never changes what was written
--   auditor  audit and export: reads
\set ON_ERROR_STOP on
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SET password_encryption = 'scram-sha-256';

CREATE ROLE owner LOGIN PASSWORD :'owner_password';
CREATE ROLE service LOGIN PASSWORD :'service_password' CONNECTION LIMIT 60;
-- What replays the log is a standby, what only keeps it is none: the server sees which.
GRANT pg_read_all_stats TO service;
CREATE ROLE auditor LOGIN PASSWORD :'auditor_password' CONNECTION LIMIT 10;

CREATE DATABASE jackpot OWNER owner ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
REVOKE ALL ON DATABASE jackpot FROM PUBLIC;
GRANT CONNECT ON DATABASE jackpot TO service, auditor;
