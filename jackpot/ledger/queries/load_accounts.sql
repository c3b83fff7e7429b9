-- load_accounts: every account as its last entry left it; of hits only those named, since ended ones grow without end.
SELECT account, version, balance_microcents FROM account
WHERE chain = $1 AND (account < 'payable/' OR account >= 'payable0')
UNION ALL
SELECT account, version, balance_microcents FROM account
WHERE chain = $1 AND account = ANY($2::text[])
ORDER BY account
