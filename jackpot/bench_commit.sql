-- bench_commit: the one INSERT of a bare commit.
INSERT INTO bench_wager (seat, cents) VALUES (1, 100)
