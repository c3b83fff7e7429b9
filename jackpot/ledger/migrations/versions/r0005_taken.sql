-- A server of the program before goes on after this, until it is restarted: what it writes of a pool names no falls, and was
-- refused without a default, each prize from a meter with it.
ALTER TABLE pool ALTER COLUMN taken SET DEFAULT '{}';
