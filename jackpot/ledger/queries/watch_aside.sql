-- watch_aside: how many commands each chain keeps aside.
SELECT chain, count(*) AS kept
FROM set_aside
GROUP BY chain
