-- load_hits: the open hits, and of those that are over the $2 that moved last; in the order in which they were resolved.
(
    SELECT * FROM hit
    WHERE chain = $1 AND state IN ('pending', 'claimed', 'disputed', 'verified', 'approved')
)
UNION ALL
(
    SELECT * FROM hit
    WHERE chain = $1 AND state NOT IN ('pending', 'claimed', 'disputed', 'verified', 'approved')
    ORDER BY moved DESC, "table" DESC, journal DESC, round DESC, seat DESC, pool DESC
    LIMIT $2
)
ORDER BY commit, "table", journal, round, seat, pool
