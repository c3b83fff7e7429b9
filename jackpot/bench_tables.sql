-- bench_tables: what the baselines write to: a table of wagers, the one row that every wager adds to, and a table with
-- the columns and the key that the ledger gives a wager.
CREATE TABLE bench_wager (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seat smallint NOT NULL, cents bigint NOT NULL);
CREATE TABLE bench_meter (cents bigint NOT NULL);
INSERT INTO bench_meter VALUES (0);
CREATE TABLE bench_rows (
    chain text NOT NULL,
    month text NOT NULL,
    commit bigint NOT NULL,
    "table" text NOT NULL,
    journal bigint NOT NULL,
    round bigint NOT NULL,
    seat smallint NOT NULL,
    wager_cents bigint NOT NULL,
    tender text NOT NULL,
    parts bigint[] NOT NULL,
    PRIMARY KEY (chain, "table", journal, round, seat, month)
);
