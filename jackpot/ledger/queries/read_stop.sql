-- read_stop: the stop of a link that stands, with its seal. The head is locked first: nothing is posted and nobody else lifts it
-- meanwhile.
WITH locked AS MATERIALIZED (SELECT chain FROM head WHERE chain = $1 FOR UPDATE)
SELECT s.stopped_us, s.reason, s.digest
FROM locked JOIN link_stop AS s ON s.chain = locked.chain AND s.lifted_us IS NULL
