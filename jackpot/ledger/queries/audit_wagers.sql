-- audit_wagers: the rows of these rounds.
SELECT w.month, w."table", w.journal, w.round, w.seat, w.commit, w.wager_cents, w.tender, w.parts
FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS asked (month, "table", journal, round)
JOIN wager AS w
    ON w.chain = $1 AND w."table" = asked."table" AND w.journal = asked.journal AND w.round = asked.round
    AND w.month = asked.month
