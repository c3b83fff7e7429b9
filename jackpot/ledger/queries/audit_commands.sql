-- audit_commands: the rows of these commands.
SELECT c.id, c.month, c.commit, c.batch, c.position, c.sha256
FROM unnest($2::text[], $3::text[]) AS asked (id, month)
JOIN command AS c ON c.chain = $1 AND c.id = asked.id AND c.month = asked.month
