-- load_enrolled: the tables the site knows.
SELECT "table", link, key, revision, commit FROM enrolled_table WHERE chain = $1 ORDER BY "table"
