-- overpaid: what was paid and is to be recovered, and what of it came back (below nought), oldest first.
SELECT e.ref, e.microcents, e.commit, b.time_us
FROM entry AS e
JOIN batch AS b ON b.chain = e.chain AND b.batch = e.batch
WHERE e.chain = $1 AND e.account = 'recoverable'
ORDER BY e.version
