-- load_tables: the tables of a link.
SELECT "table", key, settings, status, journal, connection, word, takeovers
FROM linked_table WHERE chain = $1 ORDER BY "table"
