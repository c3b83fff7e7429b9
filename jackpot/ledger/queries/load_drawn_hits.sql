-- load_drawn_hits: the ended prizes from a meter that came after commit $2, but the fixed ones, whose pool is named $3.
-- None has moved before it came.
SELECT * FROM hit
WHERE chain = $1 AND moved > $2 AND commit > $2 AND pool <> $3 AND state IN ('paid', 'released', 'forfeited')
