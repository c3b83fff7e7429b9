-- load_accounts: every account as its last entry left it.
SELECT account, version, balance_microcents FROM account WHERE chain = $1 ORDER BY account
