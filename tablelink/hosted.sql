-- The spool of a hosted table: the moves of its rounds, durable before the next one is asked for, and their statements.
-- Each statement stands under its name. Steps and statements are only added, and to a statement what was found later;
-- steps of rounds that ended are deleted once they are old.

-- name: schema
-- The tables of form 2. `proof` is a digest of what was written, since SQLite itself checks no content: a bit that turned
-- is found before it is read (tablelink.spool_file).
CREATE TABLE hosted (  -- one row
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    id BLOB NOT NULL CHECK (length(id) = 16),
    table_name TEXT NOT NULL,
    game TEXT NOT NULL
) STRICT;

CREATE TABLE step (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL CHECK (number > 0),         -- of the round
    name TEXT NOT NULL CHECK (name IN ('begun', 'moved')),
    body BLOB NOT NULL,                                 -- readable; cards that are not turned are never in it
    sealed BLOB,                                        -- the round as devices have it, encrypted
    proof BLOB NOT NULL,
    at_us INTEGER NOT NULL,
    CHECK ((sealed IS NULL) = (name = 'moved'))
) STRICT;
CREATE UNIQUE INDEX begun_once ON step (number) WHERE name = 'begun';

CREATE TABLE statement (
    number INTEGER PRIMARY KEY CHECK (number > 0),      -- a round is settled once, or refused once
    became TEXT NOT NULL CHECK (became IN ('settled', 'refused')),
    by_rule INTEGER NOT NULL,                           -- the game's machine refused one of its moves
    edition TEXT NOT NULL,
    record BLOB,                                        -- the round, as it is settled
    body BLOB NOT NULL,                                 -- what was said of it
    proof BLOB NOT NULL,
    staked_cents INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL,
    returned_cents INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    CHECK ((record IS NULL) = (became = 'refused'))
) STRICT;

CREATE TABLE given (                                    -- what was said at a table that people drive
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL CHECK (number > 0),         -- of the round in which it was said, or before which
    at_us INTEGER NOT NULL,                             -- the moment it was taken at
    body BLOB NOT NULL,
    proof BLOB NOT NULL
) STRICT;

CREATE TABLE notice (                                   -- what people were told, and what was written down
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL CHECK (number > 0),
    at_us INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('told', 'written')),
    body BLOB NOT NULL,
    proof BLOB NOT NULL
) STRICT;

CREATE TABLE stand (  -- one row: the table as it was before what was given after `place`
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    place INTEGER NOT NULL,
    body BLOB NOT NULL,
    proof BLOB NOT NULL
) STRICT;

-- name: mark
-- Marks a new file as a hosted table's spool of form 2 ("JPLH").
PRAGMA application_id = 1246776392;
PRAGMA user_version = 2;

-- name: new
INSERT INTO hosted (only_one, id, table_name, game) VALUES (1, ?, ?, ?);

-- name: own
SELECT id, table_name, game FROM hosted;

-- name: stands
-- What the spool is, and what only rises in it: by these its log is told from another.
SELECT id, (SELECT coalesce(max(number), 0) FROM statement),
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'step') FROM hosted;

-- name: begin
BEGIN IMMEDIATE;

-- name: put_step
INSERT INTO step (number, name, body, sealed, proof, at_us) VALUES (?, ?, ?, ?, ?, ?);

-- name: put_statement
INSERT INTO statement (
    number, became, by_rule, edition, record, body, proof, staked_cents, paid_cents, returned_cents, at_us
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: revise_statement
-- What was found later about a round is added to its statement; its money is what it was.
UPDATE statement SET record = ?, body = ?, proof = ? WHERE number = ?;

-- name: last
SELECT coalesce(max(number), 0) AS number FROM statement;

-- name: steps_after
SELECT number, name, body, sealed, proof FROM step WHERE number > ? ORDER BY place;

-- name: statement_of
SELECT number, became, by_rule, record, body, proof, staked_cents, paid_cents, returned_cents FROM statement
WHERE number = ?;

-- name: statements
SELECT number, became, by_rule, record, body, proof, staked_cents, paid_cents, returned_cents FROM statement
ORDER BY number;

-- name: totals
SELECT
    count(*) FILTER (WHERE became = 'settled') AS rounds,
    count(*) FILTER (WHERE became = 'refused') AS refused,
    count(*) FILTER (WHERE by_rule) AS refused_by_rule,
    coalesce(sum(staked_cents), 0) AS staked_cents,
    coalesce(sum(paid_cents), 0) AS paid_cents,
    coalesce(sum(returned_cents), 0) AS returned_cents,
    coalesce(max(number), 0) AS last_number
FROM statement;

-- name: moves_of
SELECT body, proof FROM step WHERE number = ? AND name = 'moved' ORDER BY place;

-- name: put_given
INSERT INTO given (number, at_us, body, proof) VALUES (?, ?, ?, ?);

-- name: put_notice
INSERT INTO notice (number, at_us, kind, body, proof) VALUES (?, ?, ?, ?, ?);

-- name: put_stand
-- The table as it stands after everything that was given so far.
INSERT INTO stand (only_one, place, body, proof) VALUES (1, (SELECT coalesce(max(place), 0) FROM given), ?, ?)
ON CONFLICT (only_one) DO UPDATE SET place = excluded.place, body = excluded.body, proof = excluded.proof;

-- name: stand
SELECT place, body, proof FROM stand;

-- name: given_after
SELECT at_us, body, proof FROM given WHERE place > ? ORDER BY place;

-- name: last_notices
SELECT number, at_us, kind, body, proof FROM (SELECT * FROM notice ORDER BY place DESC LIMIT ?) ORDER BY place;

-- name: under_way
SELECT count(*) AS steps FROM step WHERE number > (SELECT coalesce(max(number), 0) FROM statement);

-- name: prune_given
DELETE FROM given WHERE at_us < ? AND place <= (SELECT place FROM stand);

-- name: prune_steps
DELETE FROM step WHERE at_us < ? AND number IN (SELECT number FROM statement);
