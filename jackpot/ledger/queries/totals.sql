-- totals: what a link came to, from its first commit to its last.
--
-- A wager that went back, by a withdrawal or a void, is not counted: which seats went back stands in the stored answers.
-- Its increment is not counted either, wherever the money came from that went back. Reads every batch: for the end of a
-- demonstration, not for a running link.
WITH said AS (
    SELECT coalesce(c.value -> 'command' -> 'message', c.value -> 'command') AS command, c.value -> 'answer' AS answer
    FROM batch AS b, json_array_elements(convert_from(b.body, 'UTF8')::json -> 'commands') AS c
    WHERE b.chain = $1
),
returned AS (
    SELECT s.command ->> 'table' AS "table", (s.command ->> 'journal')::bigint AS journal,
        (s.command ->> 'round')::bigint AS round, seat::smallint AS seat
    FROM said AS s, json_array_elements_text(s.answer -> 'seats') AS seat
    WHERE s.answer ->> 'kind' IN ('withdrawn', 'voided', 'void_recorded')
),
standing AS (
    SELECT count(*) AS wagers, coalesce(sum(w.wager_cents), 0) AS wagers_cents,
        coalesce(
            sum((SELECT sum(part) FROM unnest(w.parts[1:(cardinality(w.parts) - 2) / 2]) AS part)), 0
        ) AS increments_microcents
    FROM wager AS w
    WHERE w.chain = $1 AND NOT EXISTS (
        SELECT FROM returned AS r
        WHERE r."table" = w."table" AND r.journal = w.journal AND r.round = w.round AND r.seat = w.seat
    )
),
stood AS (
    SELECT * FROM hit WHERE chain = $1 AND state NOT IN ('rejected', 'released')
),
in_force AS (
    SELECT raw::json AS terms FROM terms WHERE chain = $1 ORDER BY version DESC LIMIT 1
)
SELECT
    (SELECT count(*) FROM linked_table WHERE chain = $1) AS tables,
    (SELECT count(*) FROM said WHERE answer ->> 'kind' = 'recorded') AS rounds,
    standing.wagers, standing.wagers_cents, standing.increments_microcents,
    (
        SELECT coalesce(sum(microcents), 0) FROM entry
        WHERE chain = $1 AND account LIKE 'pool/%' AND cause = 'seed'
    ) AS seeds_microcents,
    (SELECT coalesce(sum(amount_cents), 0) FROM stood) AS awards_cents,
    (SELECT coalesce(sum(topup_cents), 0) FROM stood) AS topups_cents,
    (SELECT coalesce(sum(bonus_cents), 0) FROM stood) AS bonuses_cents,
    (
        SELECT coalesce(json_object_agg(prize, hits), '{}')
        FROM (SELECT prize, count(*) AS hits FROM stood GROUP BY prize) AS counted
    ) AS hits,
    (
        SELECT coalesce(json_object_agg(concat_ws('/', "table", journal, round, seat, pool), amount_cents), '{}')
        FROM stood
    ) AS awards,
    (
        SELECT balance_microcents FROM account
        WHERE chain = $1 AND account = 'pool/' || (in_force.terms -> 'pools' -> 0 ->> 'name')
    ) AS meter_microcents
FROM standing, in_force
