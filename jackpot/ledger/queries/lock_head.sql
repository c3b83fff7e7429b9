-- lock_head: take a chain's lock: what is under way is over when it comes back, and nobody posts until it is let go.
-- Nothing is read here: a look-up in the statement that waits for a lock sees the past.
SELECT chain FROM head WHERE chain = $1 FOR UPDATE
