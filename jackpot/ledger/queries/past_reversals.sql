-- past_reversals: the commits before $3 in which wagers of a round (table/journal/round) went back, and their batches.
SELECT DISTINCT commit, batch FROM entry
WHERE chain = $1 AND cause = 'reversal' AND ref = $2 AND commit < $3
ORDER BY commit
