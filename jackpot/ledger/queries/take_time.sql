-- take_time: what was handed in is decided within this transaction, all of it: that may take minutes of computing, while
-- a session that sits idle in a transaction is else ended after two seconds.
SELECT set_config('idle_in_transaction_session_timeout', '30min', true)
