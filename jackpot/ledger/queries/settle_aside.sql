-- settle_aside: two people say that nothing more comes of a command kept aside. If repeated the first word stands.
INSERT INTO aside_settled (chain, sha256, settled_us, settled_by, settled_with, settled_reason, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT ON CONSTRAINT aside_settled_once DO NOTHING
