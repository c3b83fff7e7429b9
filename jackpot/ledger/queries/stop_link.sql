-- stop_link: write the row that the fence reads. The head is locked first: a batch is wholly before the stop, or refused.
-- If repeated the first stop stands.
WITH locked AS MATERIALIZED (SELECT chain FROM head WHERE chain = $1 FOR UPDATE)
INSERT INTO link_stop (chain, stopped_us, reason, evidence, digest)
SELECT chain, $2, $3, $4, $5 FROM locked
ON CONFLICT (chain) WHERE lifted_us IS NULL DO NOTHING
