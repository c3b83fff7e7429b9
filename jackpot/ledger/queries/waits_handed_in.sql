-- waits_handed_in: does anything that a table has handed in wait for two people?
SELECT EXISTS (SELECT FROM handed_in WHERE chain = $1 AND "table" = $2)
