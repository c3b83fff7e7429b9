-- A table's spool: what it will say and what it was told, durable before anyone acts on it (PROTOCOL 2).
-- Each statement stands under its name. Messages and steps are only added; a message gains its answer once; what is
-- older than backups reach back is deleted.

-- name: schema
-- The tables of form 2. `proof` is a digest of what was written, since SQLite itself checks no content: a bit that turned
-- is found before anything is made of it.
CREATE TABLE spool (  -- one row
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    id BLOB NOT NULL CHECK (length(id) = 16),           -- made with the spool: tells a new one from the one granted
    table_name TEXT NOT NULL,
    connection INTEGER NOT NULL DEFAULT 0,              -- number of the last hello; it only rises
    head BLOB NOT NULL CHECK (length(head) = 32),       -- SHA-256 chain over the ends of rounds
    generation INTEGER,                                 -- the last receipt
    commit_no INTEGER,
    digest TEXT,
    proof BLOB NOT NULL                                 -- of the row whole
) STRICT;

CREATE TABLE message (
    place INTEGER PRIMARY KEY AUTOINCREMENT,            -- the order in which messages are sent
    id TEXT NOT NULL UNIQUE,
    round_id TEXT NOT NULL,                             -- table/journal/month/round
    kind TEXT NOT NULL,
    body BLOB NOT NULL,                                 -- the bytes that are sent, for ever
    proof BLOB NOT NULL,
    at_us INTEGER NOT NULL,
    answer BLOB,                                        -- what was decided, as it came
    after_withdrawal INTEGER NOT NULL DEFAULT 0,        -- the answer is evidence only
    generation INTEGER,                                 -- the answer's receipt
    commit_no INTEGER,
    digest TEXT,
    answer_proof BLOB,                                  -- of the answer with its receipt
    answered_us INTEGER,
    CHECK ((answer IS NULL) = (commit_no IS NULL))
) STRICT;
CREATE INDEX message_of_round ON message (round_id);

CREATE TABLE step (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    body BLOB NOT NULL,                                 -- readable; cards that are not turned are never in it
    sealed BLOB,                                        -- cards as a shoe read them, encrypted
    proof BLOB NOT NULL,
    at_us INTEGER NOT NULL
) STRICT;

CREATE TABLE checkpoint (  -- one row: the table as it was before the steps after `place`
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    place INTEGER NOT NULL,
    body BLOB NOT NULL,
    proof BLOB NOT NULL                                 -- of the body with its place
) STRICT;

-- name: settings
-- Said once after opening: a write that has returned is on the disk.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = 5000;

-- name: mark
-- Marks a new file as a spool of form 2 ("JPLT").
PRAGMA application_id = 1246776404;
PRAGMA user_version = 2;

-- name: application
PRAGMA application_id;

-- name: form
PRAGMA user_version;

-- name: by_receipt
-- Said once after opening, of a spool too that was made without it: a page of what is handed in is found by its receipt,
-- not by reading all that was ever answered. Nothing that is stored changes its form by it.
CREATE INDEX IF NOT EXISTS message_of_receipt ON message (generation, commit_no) WHERE answer IS NOT NULL;

-- name: check
-- Reads every page; one row that says "ok" where nothing is damaged, and every index has the rows of its table: by one
-- that lacks a row a message would be left out, and nothing would say so.
PRAGMA integrity_check(3);

-- name: begin
BEGIN IMMEDIATE;

-- name: new_spool
INSERT INTO spool (only_one, id, table_name, head, proof) VALUES (1, ?, ?, ?, ?);

-- name: new_checkpoint
INSERT INTO checkpoint (only_one, place, body, proof) VALUES (1, 0, ?, ?);

-- name: own
SELECT id, table_name, connection, head, generation, commit_no, digest, proof FROM spool;

-- name: stands
-- What the spool is, and what only rises in it: by these its log is told from another. Of the ledger it is the place as
-- a whole: a restored one counts its commits on from further back, in a later generation.
SELECT id, connection, printf('%020d/%020d', coalesce(generation, 0), coalesce(commit_no, 0)),
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'step') FROM spool;

-- name: put_own_proof
UPDATE spool SET proof = ?;

-- name: last_step
SELECT coalesce(max(place), 0) AS place FROM step;

-- name: put_checkpoint
-- The table as it stands after all steps so far.
UPDATE checkpoint SET place = ?, body = ?, proof = ?;

-- name: put_step
INSERT INTO step (name, body, sealed, proof, at_us) VALUES (?, ?, ?, ?, ?);

-- name: put_message
INSERT INTO message (id, round_id, kind, body, proof, at_us) VALUES (?, ?, ?, ?, ?, ?);

-- name: contents
-- Every message with all that proofs are of, and its id beside what is looked up instead of it.
SELECT id, round_id, kind, body, proof, answer, generation, commit_no, digest, answer_proof FROM message;

-- name: put_head
UPDATE spool SET head = ?;

-- name: put_answer
-- One id, one answer: a second one changes nothing.
UPDATE message
SET answer = ?, after_withdrawal = ?, generation = ?, commit_no = ?, digest = ?, answer_proof = ?, answered_us = ?
WHERE id = ? AND answer IS NULL;

-- name: put_receipt
-- The newest receipt, in the order of the ledger.
UPDATE spool SET generation = ?1, commit_no = ?2, digest = ?3
WHERE generation IS NULL OR (generation, commit_no) < (?1, ?2);

-- name: next_connection
UPDATE spool SET connection = connection + 1;

-- name: unanswered
-- Messages to be sent, in their order. Wagers of a round that was withdrawn or voided have lost their place.
SELECT body, id, proof FROM message AS own
WHERE answer IS NULL AND NOT (kind = 'wagers' AND EXISTS (
    SELECT 1 FROM message WHERE round_id = own.round_id AND kind IN ('withdraw', 'void')))
ORDER BY place;

-- name: held_after
-- What was answered past a place of the ledger, in the order of the ledger.
SELECT id, body, proof, answer, generation, commit_no, digest, answer_proof FROM message
WHERE answer IS NOT NULL AND (generation, commit_no) > (?1, ?2)
ORDER BY generation, commit_no;

-- name: checkpoint
SELECT place, body, proof FROM checkpoint;

-- name: steps_after
SELECT place, name, body, sealed, proof FROM step WHERE place > ? ORDER BY place;

-- name: approvals
-- When play went on without the jackpot, and when it was back (CSP 14.15).
SELECT name, body, at_us FROM step WHERE name IN ('without_jackpot', 'jackpot_back') ORDER BY place;

-- name: own_table
SELECT table_name FROM spool;

-- name: open_rounds
-- Rounds whose wagers were written and that have neither record nor void.
SELECT DISTINCT round_id FROM message AS own WHERE kind = 'wagers' AND NOT EXISTS (
    SELECT 1 FROM message WHERE round_id = own.round_id AND kind IN ('record', 'void'))
ORDER BY round_id;

-- name: amended
-- What people did at the server to rounds of this table.
SELECT body FROM step WHERE name = 'amended';

-- name: unanswered_ids
SELECT id FROM message WHERE answer IS NULL ORDER BY place;

-- name: prune_messages
-- Messages older than backups reach back, of rounds in which every message that is still to be sent has its answer: by
-- the table's clock, and by the gaming month in their ids (table/journal/month/round), which the server has told.
DELETE FROM message WHERE at_us < ?1 AND substr(rtrim(rtrim(round_id, '0123456789'), '/'), -7) < ?2 AND round_id NOT IN (
    SELECT round_id FROM message WHERE answer IS NULL AND kind != 'wagers'
    UNION SELECT round_id FROM message AS own WHERE answer IS NULL AND kind = 'wagers' AND NOT EXISTS (
        SELECT 1 FROM message WHERE round_id = own.round_id AND kind IN ('withdraw', 'void')));

-- name: prune_steps
-- Nor one that is younger than the oldest message that is kept.
DELETE FROM step WHERE at_us < min(?1, (SELECT min(at_us) FROM message)) AND place <= (SELECT place FROM checkpoint);

-- name: messages
-- Everything said and answered, for totals.
SELECT place, id, round_id, kind, body, proof, answer, after_withdrawal, generation, commit_no, digest, answer_proof
FROM message ORDER BY place;
