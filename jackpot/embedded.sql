-- What a new embedded cluster holds before anyone connects: the three roles, their database, and, beside it, the
-- extension that benches read. Run once by `jackpot/embedded.py` in single-user mode before the cluster gets its final
-- name, so a cluster that has its name has all of it. Tables and privileges are the migrations' matter.

CREATE EXTENSION pg_stat_statements;

CREATE ROLE owner LOGIN;

CREATE ROLE service LOGIN;

GRANT pg_read_all_stats TO service;

CREATE ROLE auditor LOGIN;

CREATE DATABASE jackpot OWNER owner;

