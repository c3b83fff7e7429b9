-- lift_stop: two people open a stopped link again; the stop and its evidence stay.
UPDATE link_stop
SET lifted_us = $3, lifted_by = $4, lifted_with = $5, lifted_reason = $6, lifted_digest = $7
WHERE chain = $1 AND stopped_us = $2 AND lifted_us IS NULL
