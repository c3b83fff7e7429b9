-- past_amendments: the ids of all that amended a round, by their beginning ($3), whatever their revisions. They are few:
-- an index of their own finds them.
SELECT id FROM command
WHERE chain = $1 AND month = $2 AND id LIKE '%/amend/%' AND starts_with(id, $3)
