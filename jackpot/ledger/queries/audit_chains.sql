-- audit_chains: every chain that anything is known of, with its head where it has one.
SELECT chain, coalesce(last_batch, 0) AS last_batch, coalesce(last_commit, 0) AS last_commit
FROM (SELECT chain FROM head UNION SELECT chain FROM batch) AS named
LEFT JOIN LATERAL (
    SELECT b.batch AS last_batch, b.last_commit FROM batch AS b WHERE b.chain = named.chain
    ORDER BY b.batch DESC LIMIT 1
) AS last ON true
ORDER BY chain
