-- find_answers: where the answers of these ids stand. An id's month finds its partition.
SELECT c.id, c.sha256, c.commit, c.batch, c.position, b.generation, b.digest
FROM unnest($2::text[], $3::text[]) AS asked (id, month)
JOIN command AS c ON c.chain = $1 AND c.id = asked.id AND c.month = asked.month
JOIN batch AS b ON b.chain = c.chain AND b.batch = c.batch
ORDER BY c.batch, c.position
