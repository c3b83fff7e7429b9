-- unsound_accounts: accounts that are not as their last entry left them.
SELECT a.account, a.version, a.balance_microcents, e.version AS entry_version, e.balance_after
FROM account AS a
LEFT JOIN LATERAL (
    SELECT version, balance_after FROM entry
    WHERE chain = a.chain AND account = a.account ORDER BY version DESC LIMIT 1
) AS e ON true
WHERE a.chain = $1 AND (e.version, e.balance_after) IS DISTINCT FROM (a.version, a.balance_microcents)
ORDER BY a.account LIMIT 1
