-- wagers: the accepted jackpot wagers as they stand in the sub-ledger.
SELECT concat_ws('/', "table", journal, month, round, seat) AS wager, wager_cents FROM wager WHERE chain = $1
