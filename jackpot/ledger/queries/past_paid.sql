-- past_paid: what was paid out of these hits in all, in microcents.
SELECT ref, sum(microcents) AS microcents FROM entry
WHERE chain = $1 AND account = 'paid' AND cause = 'payment' AND ref = ANY($2::text[])
GROUP BY ref
