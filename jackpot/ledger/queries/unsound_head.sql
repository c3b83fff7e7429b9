-- unsound_head: say if a chain's head is not its last batch.
SELECT h.batch, h.commit
FROM head AS h
LEFT JOIN batch AS b ON b.chain = h.chain AND b.batch = h.batch
WHERE h.chain = $1 AND h.batch > 0
    AND (
        b.batch IS NULL OR b.digest <> h.digest OR b.last_commit <> h.commit OR b.generation <> h.generation
        OR b.time_us <> h.time_us
        OR EXISTS (SELECT FROM batch AS later WHERE later.chain = h.chain AND later.batch > h.batch)
    )
