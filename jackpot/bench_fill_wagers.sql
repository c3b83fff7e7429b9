-- bench_fill_wagers: rounds $3 to $4 of tables B$1 to B$2, seven accepted wagers each, in the months of the tables' own
-- play and in an earlier journal of each table: beside the rows that the load will add, as a real history lies.
INSERT INTO wager (chain, month, commit, "table", journal, round, seat, wager_cents, tender, parts)
SELECT now_played.chain, now_played.month, r, 'B' || t, 0, r, s, 100, 'chips', now_played.parts
FROM (SELECT chain, month, parts FROM wager ORDER BY month DESC LIMIT 1) AS now_played,
    generate_series($1::bigint, $2::bigint) AS t,
    generate_series($3::bigint, $4::bigint) AS r,
    generate_series(1, 7) AS s
