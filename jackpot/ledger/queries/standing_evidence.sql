-- standing_evidence: why a link is stopped, and the evidence of it.
SELECT stopped_us, reason, evidence FROM link_stop WHERE chain = $1 AND lifted_us IS NULL
