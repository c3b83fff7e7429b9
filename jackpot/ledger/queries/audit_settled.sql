-- audit_settled: people's word on what was set aside, with its seals and those of the commands.
SELECT t.chain, t.settled_us, t.settled_by, t.settled_with, t.settled_reason, t.digest, s.digest AS kept
FROM aside_settled AS t LEFT JOIN set_aside AS s ON s.chain = t.chain AND s.sha256 = t.sha256
ORDER BY t.chain, t.settled_us
