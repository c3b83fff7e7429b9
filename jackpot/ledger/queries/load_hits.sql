-- load_hits: the hits that have not ended, and of those that have the $2 that moved last; in the order in which they were
-- resolved.
(
    SELECT * FROM hit WHERE chain = $1 AND state NOT IN ('paid', 'released', 'forfeited')
)
UNION ALL
(
    SELECT * FROM hit WHERE chain = $1 AND state IN ('paid', 'released', 'forfeited')
    ORDER BY moved DESC, "table" DESC, journal DESC, round DESC, seat DESC, pool DESC
    LIMIT $2
)
ORDER BY commit, "table", journal, round, seat, pool
