-- audit_hits: every hit of a link.
SELECT * FROM hit WHERE chain = $1
