-- load_handed_in: what tables have handed in, in the order of its receipts.
SELECT id, "table", generation, commit, digest, spool, message, answer
FROM handed_in
WHERE chain = $1
ORDER BY generation, commit, id
