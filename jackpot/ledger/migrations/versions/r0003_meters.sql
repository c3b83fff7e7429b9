-- The meters of each pool that were taken whole, four numbers each (`jackpot.core.meters.Fall`). Those before this
-- revision are not told: batches of decide versions 1 and 2 noted none. The default stays for a server of the program
-- before, which goes on until it is restarted: what it writes of a pool names no falls.
ALTER TABLE pool ADD COLUMN taken bigint[] NOT NULL DEFAULT '{}';

-- What amends a round is found whatever its revision; it is rare.
CREATE INDEX command_amending ON command (chain, id) WHERE id LIKE '%/amend/%';
