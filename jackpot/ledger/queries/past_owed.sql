-- past_owed: all that was ever to be recovered of a hit ($2) before a commit ($3), in microcents.
SELECT coalesce(sum(microcents), 0) FROM entry
WHERE chain = $1 AND account = 'recoverable' AND ref = $2 AND commit < $3 AND microcents > 0
