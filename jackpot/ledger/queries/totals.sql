-- What a link came to, from its first commit to its last. Money that went back by a withdrawal or a void is not counted.
--
-- Wagers are counted from what was taken for them: the accounts an accepted wager comes from (players' chips, the house's own
-- tokens) less what was given back. Prizes are the hits that stand; their payments are not asked for.
WITH moved AS (
    SELECT account, cause, sum(microcents) AS microcents
    FROM entry
    WHERE chain = $1
    GROUP BY account, cause
),

hits AS (
    SELECT prize, count(*) AS hits
    FROM hit
    WHERE chain = $1 AND state NOT IN ('rejected', 'released')
    GROUP BY prize
)

SELECT
    (SELECT count(*) FROM linked_table WHERE chain = $1) AS tables,
    (
        SELECT coalesce(-sum(microcents), 0) FROM moved
        WHERE account IN ('wagers', 'house') AND cause IN ('increment', 'reversal')
    ) AS wagers_microcents,
    (
        SELECT coalesce(sum(microcents), 0) FROM moved
        WHERE account LIKE 'pool/%' AND cause IN ('increment', 'reversal')
    ) AS increments_microcents,
    (SELECT coalesce(sum(microcents), 0) FROM moved WHERE account LIKE 'pool/%' AND cause = 'seed') AS seeds_microcents,
    (SELECT coalesce(sum(amount_cents), 0) FROM hit WHERE chain = $1 AND state NOT IN ('rejected', 'released')) AS awards_cents,
    (SELECT coalesce(sum(topup_cents), 0) FROM hit WHERE chain = $1 AND state NOT IN ('rejected', 'released')) AS topups_cents,
    (SELECT coalesce(sum(bonus_cents), 0) FROM hit WHERE chain = $1 AND state NOT IN ('rejected', 'released')) AS bonuses_cents,
    (SELECT coalesce(json_object_agg(prize, hits), '{}') FROM hits) AS hits,
    (
        SELECT coalesce(json_object_agg(concat_ws('/', "table", journal, round, seat, pool), amount_cents), '{}')
        FROM hit WHERE chain = $1
    ) AS awards,
    (
        SELECT balance_microcents FROM account
        WHERE chain = $1 AND account = 'pool/' || (
            SELECT raw::json -> 'pools' -> 0 ->> 'name' FROM terms WHERE chain = $1 ORDER BY version DESC LIMIT 1
        )
    ) AS meter_microcents,
    (
        SELECT raw::json ->> 'qualifying_wager_cents' FROM terms WHERE chain = $1 ORDER BY version DESC LIMIT 1
    )::bigint AS price_cents,
    (SELECT count(*) FROM command WHERE chain = $1 AND id LIKE '%/record/%') AS rounds;
