-- audit_counts: how many rows the tables that only grow hold, by chain, and by table and month where they are large: as
-- of commit $2 and batch $3 of chain $1, and beyond the chain's head, where there can be none. Finds rows that nobody
-- would look up by their key.
SELECT 'wager' AS "table", w.chain, w."table" || ' ' || w.month AS part,
    count(*) FILTER (WHERE w.commit <= $2) AS held, count(*) FILTER (WHERE w.commit > h.commit) AS beyond
FROM wager AS w JOIN head AS h ON h.chain = w.chain WHERE w.chain = $1 GROUP BY w.chain, w."table", w.month
UNION ALL
SELECT 'command', c.chain, c.month,
    count(*) FILTER (WHERE c.commit <= $2), count(*) FILTER (WHERE c.commit > h.commit)
FROM command AS c JOIN head AS h ON h.chain = c.chain WHERE c.chain = $1 GROUP BY c.chain, c.month
UNION ALL
SELECT 'entry', e.chain, 'all',
    count(*) FILTER (WHERE e.batch <= $3), count(*) FILTER (WHERE e.batch > h.batch)
FROM entry AS e JOIN head AS h ON h.chain = e.chain WHERE e.chain = $1 GROUP BY e.chain
