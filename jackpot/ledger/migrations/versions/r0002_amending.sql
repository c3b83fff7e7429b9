-- When each pool's epoch began: its seed says so, or, where it began without one, the prize that ended the epoch before.
ALTER TABLE pool ADD COLUMN began bigint NOT NULL DEFAULT 0;

UPDATE pool AS p
SET began = coalesce(
    (
        SELECT max(e.commit) FROM entry AS e
        WHERE e.chain = p.chain AND e.account = 'pool/' || p.pool AND e.cause = 'seed'
            AND e.ref = p.pool || '/' || p.epoch
    ),
    (SELECT max(h.commit) FROM hit AS h WHERE h.chain = p.chain AND h.pool = p.pool AND h.epoch = p.epoch - 1),
    0
);

ALTER TABLE pool ALTER COLUMN began DROP DEFAULT;

-- The last commit in which its meter fell for anything but a prize or a wager that went back: so far, a hit's release.
ALTER TABLE pool ADD COLUMN corrected bigint NOT NULL DEFAULT 0;

UPDATE pool AS p
SET corrected = coalesce(
    (
        SELECT max(s.commit)
        FROM (
            SELECT e.commit FROM entry AS e
            WHERE e.chain = p.chain AND e.account = 'pool/' || p.pool
            GROUP BY e.commit
            HAVING sum(e.microcents) < 0 AND bool_or(e.microcents < 0 AND e.cause IN ('release', 'limit'))
        ) AS s
    ),
    0
);

ALTER TABLE pool ALTER COLUMN corrected DROP DEFAULT;

CREATE INDEX entry_reversed ON entry (chain, ref) WHERE cause = 'reversal';

-- One cause more: money of an overpaid prize that came back.
ALTER TABLE entry DROP CONSTRAINT entry_cause_known;

ALTER TABLE entry ADD CONSTRAINT entry_cause_known CHECK (
    cause IN (
        'increment', 'seed', 'overflow', 'award', 'topup', 'bonus', 'lift', 'stake', 'payment', 'reversal',
        'release', 'transfer', 'correction', 'limit', 'forfeit', 'recovery'
    )
);

-- Two people's word that nothing more comes of a command that was set aside. `digest` seals the columns before it.
CREATE TABLE aside_settled (
    chain text NOT NULL,
    sha256 bytea NOT NULL,
    settled_us bigint NOT NULL,
    settled_by text NOT NULL,
    settled_with text NOT NULL,
    settled_reason text NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT aside_settled_once PRIMARY KEY (chain, sha256),
    CONSTRAINT aside_settled_is_kept FOREIGN KEY (chain, sha256) REFERENCES set_aside (chain, sha256),
    CONSTRAINT aside_settled_by_two CHECK (settled_by <> settled_with)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON aside_settled FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON aside_settled EXECUTE FUNCTION refuse_change();

GRANT SELECT ON aside_settled TO service, auditor;
GRANT INSERT ON aside_settled TO service;

-- What a table holds of a life that the ledger has lost, as it handed it in: kept until it is posted again, or left out.
CREATE TABLE handed_in (
    chain text NOT NULL,
    id text NOT NULL,
    "table" text NOT NULL,
    generation bigint NOT NULL,
    commit bigint NOT NULL,
    digest text NOT NULL,
    spool text NOT NULL,
    message bytea NOT NULL,
    answer bytea NOT NULL,
    handed_us bigint NOT NULL,
    CONSTRAINT handed_in_once PRIMARY KEY (chain, id)
);

-- How far each table has handed in, for which stop of its link (0: none stood), and its hits as it knew them.
CREATE TABLE holder (
    chain text NOT NULL,
    "table" text NOT NULL,
    generation bigint NOT NULL,
    commit bigint NOT NULL,
    complete boolean NOT NULL,
    hits text NOT NULL,
    shown text NOT NULL,
    stop_us bigint NOT NULL,
    heard_us bigint NOT NULL,
    CONSTRAINT holder_once PRIMARY KEY (chain, "table")
);

GRANT SELECT ON handed_in, holder TO service, auditor;
GRANT INSERT, DELETE ON handed_in TO service;
GRANT INSERT, UPDATE ON holder TO service;
