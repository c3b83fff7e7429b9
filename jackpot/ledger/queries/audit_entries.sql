-- audit_entries: the entries of a range of batches.
SELECT account, version, microcents, balance_after, cause, commit, ref, batch
FROM entry WHERE chain = $1 AND batch > $2 AND batch <= $3
