-- mark_head: lock a chain against nothing but its removal. The lock is written down, so that the COMMIT after the reading
-- waits until all that was read is durable; posters go on meanwhile.
SELECT chain FROM head WHERE chain = $1 FOR KEY SHARE
