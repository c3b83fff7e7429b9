-- load_hits: the hits that have not ended, those of the same rounds, and of all that have the $2 that moved last; in the
-- order in which they were resolved.
WITH under_way AS (
    SELECT * FROM hit WHERE chain = $1 AND state NOT IN ('paid', 'released', 'forfeited')
),
lately AS (
    SELECT * FROM hit WHERE chain = $1 AND state IN ('paid', 'released', 'forfeited')
    ORDER BY moved DESC, "table" DESC, journal DESC, round DESC, seat DESC, pool DESC
    LIMIT $2
),
beside AS (
    SELECT h.*
    FROM (SELECT DISTINCT "table", journal, round FROM under_way) AS r
    JOIN hit AS h ON h.chain = $1 AND h."table" = r."table" AND h.journal = r.journal AND h.round = r.round
    WHERE h.state IN ('paid', 'released', 'forfeited') AND NOT EXISTS (
        SELECT FROM lately AS l
        WHERE l."table" = h."table" AND l.journal = h.journal AND l.round = h.round AND l.seat = h.seat
            AND l.pool = h.pool
    )
)
SELECT * FROM under_way
UNION ALL
SELECT * FROM lately
UNION ALL
SELECT * FROM beside
ORDER BY commit, "table", journal, round, seat, pool
