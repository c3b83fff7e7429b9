-- bench_tables: what the baselines write to: a table of wagers, and the one row that every wager adds to.
CREATE TABLE bench_wager (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seat smallint NOT NULL, cents bigint NOT NULL);
CREATE TABLE bench_meter (cents bigint NOT NULL);
INSERT INTO bench_meter VALUES (0);
