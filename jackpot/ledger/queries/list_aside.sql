-- list_aside: commands kept aside, of one chain or (an empty name) of all; whether each was decided since, or settled by people.
SELECT
    s.chain, s.id, s.sha256, s.raw, s.error, s.aside_us, s.digest, c.commit AS decided,
    t.settled_us, t.settled_by, t.settled_with, t.settled_reason
FROM set_aside AS s
LEFT JOIN command AS c ON c.chain = s.chain AND c.id = s.id AND c.sha256 = s.sha256
LEFT JOIN aside_settled AS t ON t.chain = s.chain AND t.sha256 = s.sha256
WHERE $1 IN ('', s.chain)
ORDER BY s.aside_us, s.chain, s.sha256
