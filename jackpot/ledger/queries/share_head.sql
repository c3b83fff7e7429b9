-- share_head: keep a chain from moving on while it is read, beside others who read. The lock is written down, so that the
-- COMMIT after the reading waits until all that was read is durable.
SELECT chain FROM head WHERE chain = $1 FOR SHARE
