-- load_last_hits: the ended hits of the last round of each journal that has ended.
SELECT h.*
FROM journal AS j
JOIN hit AS h ON h.chain = $1 AND h."table" = j."table" AND h.journal = j.journal AND h.round = j.ended
WHERE j.chain = $1 AND h.state IN ('paid', 'released', 'forfeited')
