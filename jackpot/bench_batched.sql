-- bench_batched: wagers as rows and nothing else: the columns and the key that the ledger gives them, written in bulk.
INSERT INTO bench_rows (chain, month, commit, "table", journal, round, seat, wager_cents, tender, parts)
SELECT 'southern', '2026-11', w.commit, w."table", 1, w.round, w.seat, 100, 'chips',
    ARRAY[17000000, 5000000, 0, 0, 8000000, 70000000]
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::smallint[]) AS w (commit, "table", round, seat)
