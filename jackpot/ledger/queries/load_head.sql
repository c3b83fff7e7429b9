-- load_head: where a chain stands.
SELECT batch, digest, commit, generation, time_us, link_key FROM head WHERE chain = $1
