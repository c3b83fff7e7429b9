-- load_links: the links the site knows.
SELECT link, link_key, commit FROM registered_link WHERE chain = $1 ORDER BY link
