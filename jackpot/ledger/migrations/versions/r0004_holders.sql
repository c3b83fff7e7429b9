-- A table may have more than one spool that holds something: the one it plays on, and an older one that comes back. What
-- was noted of a table says nothing of either: each is asked again, and a message is kept once.
DELETE FROM holder;

ALTER TABLE holder DROP CONSTRAINT holder_once;

ALTER TABLE holder ADD COLUMN spool text NOT NULL;

ALTER TABLE holder ADD CONSTRAINT holder_once PRIMARY KEY (chain, "table", spool);
