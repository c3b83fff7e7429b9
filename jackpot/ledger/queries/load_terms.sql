-- load_terms: all terms of a link, in the order in which they came into force.
SELECT version, fingerprint, raw, since FROM terms WHERE chain = $1 ORDER BY version
