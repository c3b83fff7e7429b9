-- batch_of_commit: which batch holds a commit, and when it was posted. Commits rise with batches, so it is found by halving: some
-- thirty look-ups by key, however long the chain is.
WITH RECURSIVE halving AS (
    SELECT 1::bigint AS low, least(head.batch, $2::bigint) AS high
    FROM head
    WHERE head.chain = $1

    UNION ALL

    SELECT
        CASE WHEN middle.last_commit < $2 THEN middle.batch + 1 ELSE halving.low END,
        CASE WHEN middle.last_commit < $2 THEN halving.high ELSE middle.batch END
    FROM halving, batch AS middle
    WHERE halving.low < halving.high AND middle.chain = $1 AND middle.batch = (halving.low + halving.high) / 2
)

SELECT batch.batch, batch.time_us, batch.generation, batch.digest
FROM batch
INNER JOIN halving ON batch.batch = halving.low
WHERE batch.chain = $1 AND halving.low = halving.high AND $2 BETWEEN batch.first_commit AND batch.last_commit
