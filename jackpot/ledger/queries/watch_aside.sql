-- watch_aside: how many commands each chain keeps aside that were neither decided since nor settled by people.
SELECT s.chain, count(*) AS kept
FROM set_aside AS s
WHERE NOT EXISTS (SELECT FROM command AS c WHERE c.chain = s.chain AND c.id = s.id AND c.sha256 = s.sha256)
    AND NOT EXISTS (SELECT FROM aside_settled AS t WHERE t.chain = s.chain AND t.sha256 = s.sha256)
GROUP BY s.chain
