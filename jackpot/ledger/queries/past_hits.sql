-- past_hits: the hits of a round, by seat.
SELECT * FROM hit WHERE chain = $1 AND "table" = $2 AND journal = $3 AND round = $4 ORDER BY seat, pool
