-- past_payables: the versions of these accounts of hits.
SELECT account, version FROM account WHERE chain = $1 AND account = ANY($2::text[])
