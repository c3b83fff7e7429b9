-- bench_fill_commands: the two messages of each round that bench_fill_wagers makes, as the ledger finds them by their ids.
INSERT INTO command (chain, id, month, commit, batch, position, sha256)
SELECT named.chain, named.id, named.month, named.r, 1, 0, sha256(convert_to(named.id, 'UTF8'))
FROM (
    SELECT now_played.chain, now_played.month, r,
        'B' || t || '/0/' || now_played.month || '/' || r || '/' || kind || '/1' AS id
    FROM (SELECT chain, month FROM wager ORDER BY month DESC LIMIT 1) AS now_played,
        generate_series($1::bigint, $2::bigint) AS t,
        generate_series($3::bigint, $4::bigint) AS r,
        unnest(ARRAY['record', 'wagers']) AS kind
) AS named
