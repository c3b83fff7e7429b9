-- The ledger as it stands: every table, trigger and privilege. Migrations add up to this file; a test compares the two.
--
-- Python decides, Postgres refuses: there is no rule of the game here, only what may never happen to a ledger. Each
-- constraint bears the name under which jackpot/ledger/translation.py knows it.
--
-- A link's ledger is a chain of batches. `batch` holds them whole; every other table is a projection of it that the audit
-- builds anew, but for `link_stop`, `set_aside` and `aside_settled`, whose rows carry a digest of their own, and for
-- `handed_in` and `holder`, which hold what tables say while their link is stopped and prove nothing.

-- The chain --------------------------------------------------------------------------------------------------------

-- Where a chain stands. Its row is the lock and the fence: a batch is posted by moving it on by one.
CREATE TABLE head (
    chain text NOT NULL,
    batch bigint NOT NULL,
    digest bytea NOT NULL,
    commit bigint NOT NULL,
    generation bigint NOT NULL,
    time_us bigint NOT NULL,
    link_key text NOT NULL,
    CONSTRAINT head_one_a_chain PRIMARY KEY (chain)
) WITH (fillfactor = 10);

-- A batch whole: `body` is what is digested, `digest` is SHA-256 over `previous_digest` and `body`.
CREATE TABLE batch (
    chain text NOT NULL,
    batch bigint NOT NULL,
    time_us bigint NOT NULL,
    generation bigint NOT NULL,
    decide integer NOT NULL,
    first_commit bigint NOT NULL,
    last_commit bigint NOT NULL,
    previous_digest bytea NOT NULL,
    digest bytea NOT NULL,
    body bytea NOT NULL,
    CONSTRAINT batch_fence PRIMARY KEY (chain, batch),
    CONSTRAINT batch_fence_digest UNIQUE (chain, previous_digest),
    CONSTRAINT batch_of_a_chain FOREIGN KEY (chain) REFERENCES head (chain),
    CONSTRAINT batch_commits_in_order CHECK (batch > 0 AND 0 < first_commit AND first_commit <= last_commit),
    CONSTRAINT batch_digests_whole CHECK (octet_length(previous_digest) = 32 AND octet_length(digest) = 32)
);

-- Bodies are read whole and hold digests, keys and cards: compressing them costs the poster more than the disk saves.
ALTER TABLE batch ALTER COLUMN body SET STORAGE EXTERNAL;

-- One id, one answer: where a command's bytes and its answer stand. `month` is the gaming month its id names, or 0000-00.
CREATE TABLE command (
    chain text NOT NULL,
    id text NOT NULL,
    month text NOT NULL,
    commit bigint NOT NULL,
    batch bigint NOT NULL,
    position integer NOT NULL,
    sha256 bytea NOT NULL,
    CONSTRAINT command_decided_once PRIMARY KEY (chain, id, month)
) PARTITION BY LIST (month);

CREATE TABLE command_of_no_month PARTITION OF command FOR VALUES IN ('0000-00');

-- What amends a round is found whatever its revision; it is rare.
CREATE INDEX command_amending ON command (chain, id) WHERE id LIKE '%/amend/%';

-- The accepted jackpot wagers, one row a seat: the sub-ledger. Its key is the rule: one wager on one area (5.9). `parts` are the microcents that went to each account, in
-- the order of the terms the round was wagered under: pools, their overflow, reserve, retained.
CREATE TABLE wager (
    chain text NOT NULL,
    month text NOT NULL,
    commit bigint NOT NULL,
    "table" text NOT NULL,
    journal bigint NOT NULL,
    round bigint NOT NULL,
    seat smallint NOT NULL,
    wager_cents bigint NOT NULL,
    tender text NOT NULL,
    parts bigint[] NOT NULL,
    CONSTRAINT wager_one_a_seat PRIMARY KEY (chain, "table", journal, round, seat, month)
) PARTITION BY LIST (month);

-- Money ------------------------------------------------------------------------------------------------------------

-- Each movement on an account, with the account's version and its balance after it.
CREATE TABLE entry (
    chain text NOT NULL,
    account text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    microcents numeric(38, 0) NOT NULL,
    balance_after numeric(38, 0) NOT NULL,
    cause text NOT NULL,
    commit bigint NOT NULL,
    ref text NOT NULL,
    batch bigint NOT NULL,
    CONSTRAINT entry_version_once PRIMARY KEY (chain, account, version),
    CONSTRAINT entry_of_a_batch FOREIGN KEY (chain, batch) REFERENCES batch (chain, batch),
    CONSTRAINT entry_moves_something CHECK (microcents <> 0),
    CONSTRAINT entry_cause_known CHECK (
        cause IN (
            'increment', 'seed', 'overflow', 'award', 'topup', 'bonus', 'lift', 'stake', 'payment', 'reversal',
            'release', 'transfer', 'correction', 'limit', 'forfeit', 'recovery'
        )
    ),
    CONSTRAINT entry_pool_falls_for_cause CHECK (
        microcents > 0
        OR account NOT LIKE 'pool/%'
        OR cause IN ('award', 'reversal', 'transfer', 'correction', 'limit', 'release')
    )
);

CREATE INDEX entry_of_batch ON entry (chain, batch);

-- What went back of a round (`ref` is table/journal/round): looked up when two people amend one that is recorded.
CREATE INDEX entry_reversed ON entry (chain, ref) WHERE cause = 'reversal';

-- Each account as its last entry left it. In the order of bytes, so that all payables stand together and can be left out.
CREATE TABLE account (
    chain text NOT NULL,
    account text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    balance_microcents numeric(38, 0) NOT NULL,
    CONSTRAINT account_once PRIMARY KEY (chain, account),
    CONSTRAINT account_never_negative CHECK (
        balance_microcents >= 0
        OR NOT (
            account LIKE 'pool/%' OR account LIKE 'overflow/%' OR account LIKE 'payable/%' OR account = 'reserve'
        )
    )
) WITH (fillfactor = 50);

-- How often each pool was reseeded, in which commit last (`began`), and why its meter fell last;
-- `corrected` is the last commit in which it fell for anything but a prize or a wager that went back. `taken` is four
-- numbers a meter that was taken whole, from decide version 3 on: the commits in which it began and ended, that of the
-- prizes that have it (0: none), and that in which it went back (0: not yet); and four a round's wagers that went another
-- way than their meter: their commit below nought, that since which they do, and the same two.
CREATE TABLE pool (
    chain text NOT NULL,
    pool text NOT NULL,
    epoch bigint NOT NULL,
    last_fall_commit bigint NOT NULL,
    last_fall_cause text NOT NULL,
    began bigint NOT NULL,
    corrected bigint NOT NULL,
    taken bigint[] NOT NULL DEFAULT '{}',
    CONSTRAINT pool_once PRIMARY KEY (chain, pool)
);

-- Prizes, each with the acts that moved it, and what its pool held before the awards of its round. `pool` is `house` for a fixed bonus: two nulls would be two rows.
CREATE TABLE hit (
    chain text NOT NULL,
    "table" text NOT NULL,
    journal bigint NOT NULL,
    round bigint NOT NULL,
    seat smallint NOT NULL,
    pool text NOT NULL,
    month text NOT NULL,
    prize text NOT NULL,
    state text NOT NULL,
    amount_cents bigint NOT NULL,
    from_pool_cents bigint NOT NULL,
    topup_cents bigint NOT NULL,
    bonus_cents bigint NOT NULL,
    epoch bigint NOT NULL,
    terms text NOT NULL,
    capture text NOT NULL,
    cards text NOT NULL,
    marks text[] NOT NULL,
    commit bigint NOT NULL,
    moved bigint NOT NULL,
    approvers integer NOT NULL,
    acts json NOT NULL,
    meter_microcents numeric(38, 0) NOT NULL,
    own_microcents numeric(38, 0) NOT NULL,
    CONSTRAINT hit_once PRIMARY KEY (chain, "table", journal, round, seat, pool),
    CONSTRAINT hit_amount_is_its_parts CHECK (
        amount_cents = from_pool_cents + topup_cents + bonus_cents
        AND from_pool_cents >= 0 AND topup_cents >= 0 AND bonus_cents >= 0
    ),
    CONSTRAINT hit_state_known CHECK (
        state IN (
            'pending', 'claimed', 'disputed', 'verified', 'approved', 'paid', 'rejected', 'released', 'forfeited'
        )
    )
);

CREATE INDEX hit_not_ended ON hit (chain) WHERE state NOT IN ('paid', 'released', 'forfeited');

CREATE INDEX hit_moved ON hit (chain, moved);

-- What the tables and the site are -----------------------------------------------------------------------------------

CREATE TABLE terms (
    chain text NOT NULL,
    version bigint NOT NULL,
    fingerprint text NOT NULL,
    raw text NOT NULL,
    since bigint NOT NULL,
    CONSTRAINT terms_version_once PRIMARY KEY (chain, version),
    CONSTRAINT terms_fingerprint_once UNIQUE (chain, fingerprint)
);

CREATE TABLE linked_table (
    chain text NOT NULL,
    "table" text NOT NULL,
    key text NOT NULL,
    settings text NOT NULL,
    status text NOT NULL,
    journal bigint NOT NULL,
    connection bigint NOT NULL,
    word text NOT NULL,
    takeovers bigint[] NOT NULL,
    CONSTRAINT linked_table_once PRIMARY KEY (chain, "table")
) WITH (fillfactor = 80);

-- One row a life of a table's spool. Every message moves its table's row, so half of each page is left free for that.
CREATE TABLE journal (
    chain text NOT NULL,
    "table" text NOT NULL,
    journal bigint NOT NULL,
    spool text NOT NULL,
    highest bigint NOT NULL,
    month text NOT NULL,
    ended bigint NOT NULL,
    ended_as text NOT NULL,
    CONSTRAINT journal_once PRIMARY KEY (chain, "table", journal)
) WITH (fillfactor = 50);

-- One row a round that has neither record nor void yet, those without jackpot seats and withdrawn ones too.
CREATE TABLE open_round (
    chain text NOT NULL,
    "table" text NOT NULL,
    journal bigint NOT NULL,
    round bigint NOT NULL,
    month text NOT NULL,
    terms text NOT NULL,
    commit bigint NOT NULL,
    time_us bigint NOT NULL,
    runs json NOT NULL,
    epochs bigint[] NOT NULL,
    withdrawn boolean NOT NULL,
    stale_display boolean NOT NULL,
    CONSTRAINT open_round_once PRIMARY KEY (chain, "table", journal, round)
);

CREATE TABLE registered_link (
    chain text NOT NULL,
    link text NOT NULL,
    link_key text NOT NULL,
    commit bigint NOT NULL,
    CONSTRAINT registered_link_once PRIMARY KEY (chain, link)
);

CREATE TABLE enrolled_table (
    chain text NOT NULL,
    "table" text NOT NULL,
    link text NOT NULL,
    key text NOT NULL,
    revision bigint NOT NULL,
    commit bigint NOT NULL,
    CONSTRAINT enrolled_table_once PRIMARY KEY (chain, "table")
);

-- Evidence ---------------------------------------------------------------------------------------------------------

-- A stopped link, until two people lift the stop. `digest` seals the first four columns, `lifted_digest` all before it.
CREATE TABLE link_stop (
    chain text NOT NULL,
    stopped_us bigint NOT NULL,
    reason text NOT NULL,
    evidence text NOT NULL,
    digest bytea NOT NULL,
    lifted_us bigint,
    lifted_by text,
    lifted_with text,
    lifted_reason text,
    lifted_digest bytea,
    CONSTRAINT link_stop_once PRIMARY KEY (chain, stopped_us),
    CONSTRAINT link_stop_lifted_whole CHECK (
        num_nulls(lifted_us, lifted_by, lifted_with, lifted_reason, lifted_digest) IN (0, 5)
    ),
    CONSTRAINT link_stop_lifted_by_two CHECK (lifted_by <> lifted_with)
);

CREATE UNIQUE INDEX link_stop_standing ON link_stop (chain) WHERE lifted_us IS NULL;

-- Commands that could not be decided or stored, with their errors. `digest` seals the columns before it.
CREATE TABLE set_aside (
    chain text NOT NULL,
    id text NOT NULL,
    sha256 bytea NOT NULL,
    raw bytea NOT NULL,
    error text NOT NULL,
    aside_us bigint NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT set_aside_once PRIMARY KEY (chain, sha256)
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

-- How far each spool of a table has handed in, for which stop of its link (0: none stood), and its hits as it knew them.
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
    spool text NOT NULL,
    CONSTRAINT holder_once PRIMARY KEY (chain, "table", spool)
);

-- What is refused ----------------------------------------------------------------------------------------------------

-- Refuses any change of what is written for ever, to the owner too.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is written for ever', tg_op, tg_table_name
        USING ERRCODE = 'JP003', CONSTRAINT = 'append_only', TABLE = tg_table_name;
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON batch FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON command FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON wager FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON terms FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON set_aside FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON aside_settled FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OF chain, stopped_us, reason, evidence, digest ON link_stop
FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON batch EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON command EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON command_of_no_month EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON wager EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON entry EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON terms EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON set_aside EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON aside_settled EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON link_stop EXECUTE FUNCTION refuse_change();

-- A stop is lifted once.
CREATE FUNCTION refuse_second_lift() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.lifted_us IS NOT NULL THEN
        RAISE EXCEPTION 'this stop of % was lifted before', OLD.chain
            USING ERRCODE = 'JP003', CONSTRAINT = 'append_only', TABLE = 'link_stop';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER lifted_once BEFORE UPDATE ON link_stop FOR EACH ROW EXECUTE FUNCTION refuse_second_lift();

-- A chain begins before its first batch.
CREATE FUNCTION head_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.batch, NEW.commit, NEW.generation, NEW.time_us) <> (0, 0, 1, 0) THEN
        RAISE EXCEPTION 'the chain % cannot begin at batch %, commit %', NEW.chain, NEW.batch, NEW.commit
            USING ERRCODE = 'JP002', CONSTRAINT = 'head_begins', TABLE = 'head';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER begins BEFORE INSERT ON head FOR EACH ROW EXECUTE FUNCTION head_begins();

-- The fence of a stopped link, and a head that only moves on. The head's row is locked before this looks for a stop, and
-- whoever writes a stop locks that row first: a batch is wholly before the stop, or refused.
-- Triggers name the schema of what they read: a session's temporary table of that name would come before it.
CREATE FUNCTION head_moves_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.link_stop AS s WHERE s.chain = NEW.chain AND s.lifted_us IS NULL) THEN
        RAISE EXCEPTION 'the link % is stopped', NEW.chain
            USING ERRCODE = 'JP001', CONSTRAINT = 'head_link_stopped', TABLE = 'head';
    END IF;
    IF NEW.batch <> OLD.batch + 1 OR NEW.commit <= OLD.commit OR NEW.generation < OLD.generation
        OR NEW.time_us < OLD.time_us OR NEW.chain <> OLD.chain
    THEN
        RAISE EXCEPTION 'the head of % cannot go from batch %, commit % to batch %, commit %',
            OLD.chain, OLD.batch, OLD.commit, NEW.batch, NEW.commit
            USING ERRCODE = 'JP002', CONSTRAINT = 'head_moves_on', TABLE = 'head';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER moves_on BEFORE UPDATE ON head FOR EACH ROW EXECUTE FUNCTION head_moves_on();

-- Entries of a batch sum to nought; each is the next version of its account and adds up.
CREATE FUNCTION entries_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT p.chain, p.batch, sum(p.microcents) AS over INTO wrong
    FROM posted AS p GROUP BY p.chain, p.batch HAVING sum(p.microcents) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the entries of batch % of % sum to % microcents', wrong.batch, wrong.chain, wrong.over
            USING ERRCODE = 'JP002', CONSTRAINT = 'entry_sums_to_nought', TABLE = 'entry';
    END IF;
    SELECT n.*, coalesce(n.inner_version, e.version, 0) AS last_version,
        coalesce(n.inner_balance, e.balance_after, 0) AS last_balance
    INTO wrong
    FROM (
        SELECT p.*, lag(p.version) OVER steps AS inner_version, lag(p.balance_after) OVER steps AS inner_balance
        FROM posted AS p WINDOW steps AS (PARTITION BY p.chain, p.account ORDER BY p.version)
    ) AS n
    LEFT JOIN LATERAL (
        SELECT o.version, o.balance_after FROM public.entry AS o
        WHERE n.inner_version IS NULL AND o.chain = n.chain AND o.account = n.account AND o.version < n.version
        ORDER BY o.version DESC LIMIT 1
    ) AS e ON true
    WHERE n.version <> coalesce(n.inner_version, e.version, 0) + 1
        OR n.balance_after <> coalesce(n.inner_balance, e.balance_after, 0) + n.microcents
    LIMIT 1;
    IF FOUND AND wrong.version <> wrong.last_version + 1 THEN
        RAISE EXCEPTION 'version % of % % does not follow version %',
            wrong.version, wrong.chain, wrong.account, wrong.last_version
            USING ERRCODE = 'JP002', CONSTRAINT = 'entry_version_follows', TABLE = 'entry';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'the balance % after version % of % % is not % and %',
            wrong.balance_after, wrong.version, wrong.chain, wrong.account, wrong.last_balance, wrong.microcents
            USING ERRCODE = 'JP002', CONSTRAINT = 'entry_balance_follows', TABLE = 'entry';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER follow AFTER INSERT ON entry REFERENCING NEW TABLE AS posted
FOR EACH STATEMENT EXECUTE FUNCTION entries_follow();

-- Months -------------------------------------------------------------------------------------------------------------

-- Makes the partitions of a gaming month and says whether they were missing. Attached, not made in place: a poster that
-- is at work waits for nothing longer than a catalog row.
CREATE FUNCTION add_month(month text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    parent text;
    part text;
BEGIN
    IF to_regclass('wager_' || replace(month, '-', '_')) IS NOT NULL THEN
        RETURN false;
    END IF;
    FOREACH parent IN ARRAY ARRAY['command', 'wager'] LOOP
        part := parent || '_' || replace(month, '-', '_');
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%L)', parent, part, month);
        EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON %I EXECUTE FUNCTION refuse_change()', part);
    END LOOP;
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION add_month(text) FROM PUBLIC;

-- Who may do what: `service` posts, `auditor` reads. Nobody but the owner touches a partition by its own name. ---------

GRANT SELECT ON ALL TABLES IN SCHEMA public TO service, auditor;

GRANT INSERT ON
    head, batch, command, wager, entry, account, pool, hit, terms, linked_table, journal, open_round,
    registered_link, enrolled_table, link_stop, set_aside, aside_settled
TO service;

GRANT UPDATE ON head, account, pool, hit, linked_table, journal, open_round, registered_link, enrolled_table TO service;

GRANT UPDATE (lifted_us, lifted_by, lifted_with, lifted_reason, lifted_digest) ON link_stop TO service;

GRANT DELETE ON open_round TO service;

GRANT INSERT, DELETE ON handed_in TO service;

GRANT INSERT, UPDATE ON holder TO service;
