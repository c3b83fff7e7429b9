-- past_wagers: the accepted wagers of a round, by seat; the key finds them in each month's partition.
SELECT month, commit, seat, wager_cents, tender, parts FROM wager
WHERE chain = $1 AND "table" = $2 AND journal = $3 AND round = $4
ORDER BY seat
