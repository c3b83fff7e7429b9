-- The meters of each pool that were taken whole, four numbers each (`jackpot.core.meters.Fall`). Those before this
-- revision are not told: batches of decide versions 1 and 2 noted none.
ALTER TABLE pool ADD COLUMN taken bigint[] NOT NULL DEFAULT '{}';

ALTER TABLE pool ALTER COLUMN taken DROP DEFAULT;

-- What amends a round is found whatever its revision; it is rare.
CREATE INDEX command_amending ON command (chain, id) WHERE id LIKE '%/amend/%';
