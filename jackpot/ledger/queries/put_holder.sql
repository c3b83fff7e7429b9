-- put_holder: how far a spool of a table has handed in, for which stop, and its hits as it knew them.
INSERT INTO holder (chain, "table", spool, generation, commit, complete, hits, shown, stop_us, heard_us)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT ON CONSTRAINT holder_once
DO UPDATE SET generation = excluded.generation, commit = excluded.commit, complete = excluded.complete,
    hits = excluded.hits, shown = excluded.shown, stop_us = excluded.stop_us, heard_us = excluded.heard_us
