-- read_link: what may be shown of a link, all of one moment: head, pools, hits not ended and the $2 that ended last.
SELECT
    h.generation, h.commit, h.batch, h.digest,
    EXISTS (SELECT FROM link_stop AS s WHERE s.chain = h.chain AND s.lifted_us IS NULL) AS stopped,
    (
        SELECT s.evidence FROM link_stop AS s
        WHERE s.chain = h.chain AND s.lifted_us IS NULL AND s.reason LIKE 'ledger_behind:%'
    ) AS gone_back,
    t.fingerprint, t.raw,
    (
        SELECT coalesce(json_agg(json_build_array(
            p.pool, p.epoch, a.balance_microcents::text, p.last_fall_commit, p.last_fall_cause,
            p.corrected
        )), '[]')
        FROM pool AS p JOIN account AS a ON a.chain = p.chain AND a.account = 'pool/' || p.pool
        WHERE p.chain = h.chain
    ) AS pools,
    (
        SELECT coalesce(json_agg(json_build_array(
            s."table" || '/' || s.journal || '/' || s.round || '/' || s.seat || '/' || s.pool,
            s.prize, s.state, s.amount_cents, s."table", s.moved
        ) ORDER BY s.moved, s."table", s.journal, s.round, s.seat, s.pool), '[]')
        FROM (
            (
                SELECT * FROM hit WHERE chain = h.chain AND state NOT IN ('paid', 'released', 'forfeited')
            )
            UNION ALL
            (
                SELECT * FROM hit WHERE chain = h.chain AND state IN ('paid', 'released', 'forfeited')
                ORDER BY moved DESC, "table" DESC, journal DESC, round DESC, seat DESC, pool DESC
                LIMIT $2
            )
        ) AS s
    ) AS hits
FROM head AS h
LEFT JOIN LATERAL (
    SELECT fingerprint, raw FROM terms WHERE chain = h.chain ORDER BY version DESC LIMIT 1
) AS t ON true
WHERE h.chain = $1
