-- audit_aside: what was set aside, with its seals, $3 at most after this key.
SELECT chain, id, sha256, raw, error, aside_us, digest
FROM set_aside WHERE (chain, sha256) > ($1, $2) ORDER BY chain, sha256 LIMIT $3
