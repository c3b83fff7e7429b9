-- standing_stop: the stop of a link that nobody has lifted.
SELECT stopped_us, reason FROM link_stop WHERE chain = $1 AND lifted_us IS NULL
