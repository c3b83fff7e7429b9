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

CREATE INDEX entry_reversed ON entry (chain, ref) WHERE cause = 'reversal';
