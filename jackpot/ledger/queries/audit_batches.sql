-- audit_batches: the next batches after $2, up to $3, $4 at most.
SELECT batch, time_us, generation, decide, first_commit, last_commit, previous_digest, digest, body
FROM batch WHERE chain = $1 AND batch > $2 AND batch <= $3 ORDER BY batch LIMIT $4
