-- post_batch: write one batch with all its rows, or nothing.
--
-- The head moves on only from the batch and digest this one was decided on; every other part reads `fenced`, so where
-- another poster was quicker nothing is written and 0 comes back. That also orders the locks: the head's row is always
-- taken before any other, so two posters never wait for each other.
-- Hot rows come as arrays, one a column, most of them as text, which costs the server least to send; rare ones as JSON.
-- Wagers come a run a line: its arrays are read once, and its places counted off one series, because an unnest of its
-- own for each run costs more than the rows it makes. Ended rounds are looked up one by one, LIMIT 1 each, since a join
-- may be planned the other way round: through all that are open, and all that ended since the last vacuum, when there
-- were few at the time of the plan.
WITH fenced AS (
    UPDATE head
    SET batch = $2::bigint, time_us = $3, generation = $4, commit = $7, digest = $9, link_key = $11
    WHERE chain = $1 AND batch = $2 - 1 AND digest = $8
    RETURNING chain
),
the_batch AS (
    INSERT INTO batch (
        chain, batch, time_us, generation, decide, first_commit, last_commit, previous_digest, digest, body
    )
    SELECT chain, $2::bigint, $3::bigint, $4::bigint, $5::integer, $6::bigint, $7::bigint, $8::bytea, $9::bytea, $10::bytea
    FROM fenced
),
the_commands AS (
    INSERT INTO command (chain, id, month, commit, batch, position, sha256)
    SELECT fenced.chain, c.id, c.month, c.commit, $2, c.position, substring($16::bytea FROM 32 * c.position + 1 FOR 32)
    FROM fenced, unnest($12::text::text[], $13::text::text[], $14::text::bigint[], $15::text::integer[])
        AS c (id, month, commit, position)
),
the_runs AS MATERIALIZED (
    SELECT fenced.chain, w.month, w.commit, w."table", w.journal, w.round, w.wager_cents,
        w.seats::smallint[] AS seats, w.tenders::text[] AS tenders, w.parts::bigint[] AS parts
    FROM fenced,
        unnest(
            $17::text::text[], $18::text::bigint[], $19::text::text[], $20::text::bigint[], $21::text::bigint[],
            $22::text::bigint[], $23::text::text[], $24::text::text[], $25::text::text[]
        ) AS w (month, commit, "table", journal, round, wager_cents, seats, tenders, parts)
),
the_wagers AS (
    INSERT INTO wager (chain, month, commit, "table", journal, round, seat, wager_cents, tender, parts)
    SELECT r.chain, r.month, r.commit, r."table", r.journal, r.round, r.seats[place], r.wager_cents, r.tenders[place],
        r.parts
    FROM the_runs AS r, generate_series(1, (SELECT max(cardinality(seats)) FROM the_runs)) AS place
    WHERE place <= cardinality(r.seats)
),
the_entries AS (
    INSERT INTO entry (chain, account, version, microcents, balance_after, cause, commit, ref, batch)
    SELECT fenced.chain, e.account, e.version, e.microcents, e.balance_after, e.cause, e.commit, e.ref, $2
    FROM fenced,
        unnest($26::text[], $27::bigint[], $28::numeric[], $29::numeric[], $30::text[], $31::bigint[], $32::text[])
        AS e (account, version, microcents, balance_after, cause, commit, ref)
),
the_accounts AS (
    INSERT INTO account (chain, account, version, balance_microcents)
    SELECT fenced.chain, a.account, a.version, a.balance_microcents
    FROM fenced, unnest($33::text[], $34::bigint[], $35::numeric[]) AS a (account, version, balance_microcents)
    ON CONFLICT ON CONSTRAINT account_once
    DO UPDATE SET version = excluded.version, balance_microcents = excluded.balance_microcents
),
the_journals AS (
    INSERT INTO journal (chain, "table", journal, spool, highest, month, ended, ended_as)
    SELECT fenced.chain, j."table", j.journal, j.spool, j.highest, j.month, j.ended, j.ended_as
    FROM fenced,
        unnest(
            $36::text::text[], $37::text::bigint[], $38::text::text[], $39::text::bigint[], $40::text::text[],
            $41::text::bigint[], $42::text::text[]
        ) AS j ("table", journal, spool, highest, month, ended, ended_as)
    ON CONFLICT ON CONSTRAINT journal_once
    DO UPDATE SET spool = excluded.spool, highest = excluded.highest, month = excluded.month, ended = excluded.ended,
        ended_as = excluded.ended_as
),
the_rounds AS (
    INSERT INTO open_round (
        chain, "table", journal, round, month, terms, commit, time_us, runs, epochs, withdrawn, stale_display
    )
    SELECT fenced.chain, r."table", r.journal, r.round, r.month, r.terms, r.commit, r.time_us, r.runs::json,
        r.epochs::bigint[], r.withdrawn, r.stale_display
    FROM fenced,
        unnest(
            $43::text::text[], $44::text::bigint[], $45::text::bigint[], $46::text::text[], $47::text::text[],
            $48::text::bigint[], $49::text::bigint[], $50::text[], $51::text::text[], $52::text::boolean[],
            $53::text::boolean[]
        ) AS r ("table", journal, round, month, terms, commit, time_us, runs, epochs, withdrawn, stale_display)
    ON CONFLICT ON CONSTRAINT open_round_once
    DO UPDATE SET month = excluded.month, terms = excluded.terms, commit = excluded.commit, time_us = excluded.time_us,
        runs = excluded.runs, epochs = excluded.epochs, withdrawn = excluded.withdrawn,
        stale_display = excluded.stale_display
),
the_ended AS (
    DELETE FROM open_round
    WHERE ctid = ANY (
        ARRAY(
            SELECT o.ctid
            FROM fenced,
                unnest($54::text::text[], $55::text::bigint[], $56::text::bigint[]) AS e ("table", journal, round),
                LATERAL (
                    SELECT r.ctid FROM open_round AS r
                    WHERE r.chain = fenced.chain AND r."table" = e."table" AND r.journal = e.journal
                        AND r.round = e.round
                    LIMIT 1
                ) AS o
        )
    )
),
the_pools AS (
    INSERT INTO pool (chain, pool, epoch, last_fall_commit, last_fall_cause, began, corrected, taken)
    SELECT fenced.chain, p.pool, p.epoch, p.last_fall_commit, p.last_fall_cause, p.began, p.corrected, p.taken
    FROM fenced, json_to_recordset($57::json)
        AS p (
            pool text, epoch bigint, last_fall_commit bigint, last_fall_cause text, began bigint, corrected bigint,
            taken bigint[]
        )
    ON CONFLICT ON CONSTRAINT pool_once
    DO UPDATE SET epoch = excluded.epoch, last_fall_commit = excluded.last_fall_commit,
        last_fall_cause = excluded.last_fall_cause, began = excluded.began, corrected = excluded.corrected,
        taken = excluded.taken
),
the_tables AS (
    INSERT INTO linked_table (chain, "table", key, settings, status, journal, connection, word, takeovers)
    SELECT fenced.chain, t.name, t.key, t.settings, t.status, t.journal, t.connection, t.word, t.takeovers
    FROM fenced, json_to_recordset($58::json)
        AS t (
            name text, key text, settings text, status text, journal bigint, connection bigint, word text,
            takeovers bigint[]
        )
    ON CONFLICT ON CONSTRAINT linked_table_once
    DO UPDATE SET key = excluded.key, settings = excluded.settings, status = excluded.status,
        journal = excluded.journal, connection = excluded.connection, word = excluded.word,
        takeovers = excluded.takeovers
),
the_hits AS (
    INSERT INTO hit (
        chain, "table", journal, round, seat, pool, month, prize, state, amount_cents, from_pool_cents, topup_cents,
        bonus_cents, epoch, terms, capture, cards, marks, commit, moved, approvers, acts, meter_microcents,
        own_microcents
    )
    SELECT fenced.chain, h."table", h.journal, h.round, h.seat, h.pool, h.month, h.prize, h.state, h.amount_cents,
        h.from_pool_cents, h.topup_cents, h.bonus_cents, h.epoch, h.terms, h.capture, h.cards, h.marks, h.commit,
        h.moved, h.approvers, h.acts, h.meter_microcents, h.own_microcents
    FROM fenced, json_to_recordset($59::json)
        AS h (
            "table" text, journal bigint, round bigint, seat smallint, pool text, month text, prize text, state text,
            amount_cents bigint, from_pool_cents bigint, topup_cents bigint, bonus_cents bigint, epoch bigint,
            terms text, capture text, cards text, marks text[], commit bigint, moved bigint, approvers integer,
            acts json, meter_microcents numeric, own_microcents numeric
        )
    ON CONFLICT ON CONSTRAINT hit_once
    DO UPDATE SET month = excluded.month, prize = excluded.prize, state = excluded.state,
        amount_cents = excluded.amount_cents, from_pool_cents = excluded.from_pool_cents,
        topup_cents = excluded.topup_cents, bonus_cents = excluded.bonus_cents, epoch = excluded.epoch,
        terms = excluded.terms, capture = excluded.capture, cards = excluded.cards, marks = excluded.marks,
        commit = excluded.commit, moved = excluded.moved, approvers = excluded.approvers, acts = excluded.acts,
        meter_microcents = excluded.meter_microcents, own_microcents = excluded.own_microcents
),
the_terms AS (
    INSERT INTO terms (chain, version, fingerprint, raw, since)
    SELECT fenced.chain, t.version, t.fingerprint, t.raw, t.since
    FROM fenced, json_to_recordset($60::json) AS t (version bigint, fingerprint text, raw text, since bigint)
),
the_links AS (
    INSERT INTO registered_link (chain, link, link_key, commit)
    SELECT fenced.chain, l.link, l.link_key, l.commit
    FROM fenced, json_to_recordset($61::json) AS l (link text, link_key text, commit bigint)
    ON CONFLICT ON CONSTRAINT registered_link_once
    DO UPDATE SET link_key = excluded.link_key, commit = excluded.commit
),
the_enrolled AS (
    INSERT INTO enrolled_table (chain, "table", link, key, revision, commit)
    SELECT fenced.chain, e."table", e.link, e.key, e.revision, e.commit
    FROM fenced, json_to_recordset($62::json)
        AS e ("table" text, link text, key text, revision bigint, commit bigint)
    ON CONFLICT ON CONSTRAINT enrolled_table_once
    DO UPDATE SET link = excluded.link, key = excluded.key, revision = excluded.revision, commit = excluded.commit
)
SELECT count(*) FROM fenced
