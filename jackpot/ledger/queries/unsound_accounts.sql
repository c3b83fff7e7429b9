-- unsound_accounts: an account that is not as its last entry left it; of hits only those that have not ended.
WITH looked_at AS (
    SELECT chain, account, version, balance_microcents FROM account
    WHERE chain = $1 AND (account < 'payable/' OR account >= 'payable0')
    UNION ALL
    SELECT a.chain, a.account, a.version, a.balance_microcents FROM hit AS h
    JOIN account AS a
        ON a.chain = h.chain AND a.account = concat_ws('/', 'payable', h."table", h.journal, h.round, h.seat, h.pool)
    WHERE h.chain = $1 AND h.state NOT IN ('paid', 'released', 'forfeited')
)
SELECT a.account, a.version, a.balance_microcents, e.version AS entry_version, e.balance_after
FROM looked_at AS a
LEFT JOIN LATERAL (
    SELECT version, balance_after FROM entry
    WHERE chain = a.chain AND account = a.account ORDER BY version DESC LIMIT 1
) AS e ON true
WHERE (e.version, e.balance_after) IS DISTINCT FROM (a.version, a.balance_microcents)
ORDER BY a.account LIMIT 1
