-- keep_aside: keep commands that could not be decided or stored. If repeated a command is kept once.
INSERT INTO set_aside (chain, id, sha256, raw, error, aside_us, digest)
SELECT $1, a.id, a.sha256, a.raw, a.error, $6, a.digest
FROM unnest($2::text[], $3::bytea[], $4::bytea[], $5::text[], $7::bytea[]) AS a (id, sha256, raw, error, digest)
ON CONFLICT ON CONSTRAINT set_aside_once DO NOTHING
