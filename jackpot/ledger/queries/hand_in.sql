-- hand_in: keep what a table hands in, each message once.
INSERT INTO handed_in (chain, id, "table", generation, commit, digest, spool, message, answer, handed_us)
SELECT $1, h.id, $2, h.generation, h.commit, h.digest, $3, h.message, h.answer, $9
FROM unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bytea[], $10::bytea[])
    AS h (id, generation, commit, digest, message, answer)
ON CONFLICT ON CONSTRAINT handed_in_once DO NOTHING
