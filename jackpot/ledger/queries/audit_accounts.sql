-- audit_accounts: every account of a chain.
SELECT account, version, balance_microcents FROM account WHERE chain = $1
