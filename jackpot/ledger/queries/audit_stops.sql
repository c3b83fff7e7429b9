-- audit_stops: every stop, with its seals.
SELECT chain, stopped_us, reason, evidence, digest, lifted_us, lifted_by, lifted_with, lifted_reason, lifted_digest
FROM link_stop ORDER BY chain, stopped_us
