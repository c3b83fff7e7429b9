-- bench_hot_row: a wager where each is a commit of its own; pgbench runs it for the baseline.
BEGIN;
INSERT INTO bench_wager (seat, cents) VALUES (1, 100);
UPDATE bench_meter SET cents = cents + 22;
COMMIT;
