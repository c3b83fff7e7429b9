-- audit_follower: the digest that whatever follows batch $2 says it follows: the next batch, or the head.
SELECT coalesce(
    (SELECT previous_digest FROM batch WHERE chain = $1 AND batch = $2 + 1),
    (SELECT digest FROM head WHERE chain = $1 AND batch = $2)
)
