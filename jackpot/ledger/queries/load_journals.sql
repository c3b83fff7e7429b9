-- load_journals: every life of every spool.
SELECT "table", journal, spool, highest, month, ended, ended_as
FROM journal WHERE chain = $1 ORDER BY "table", journal
