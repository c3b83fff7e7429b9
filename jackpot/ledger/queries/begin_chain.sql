-- begin_chain: make the row that is a chain's lock and fence, before its first batch. If repeated nothing changes.
INSERT INTO head (chain, batch, digest, commit, generation, time_us, link_key)
VALUES ($1, 0, $2, 0, 1, 0, '')
ON CONFLICT DO NOTHING
