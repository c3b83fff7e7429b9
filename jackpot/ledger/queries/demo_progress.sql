-- How far a link's tables are, for the demo's live view: tables with their rounds, wagers that stand, hits still open.
-- The balance of `wagers` and of the house's tokens need no count of rows: a look costs the same after any number of rounds.
SELECT
    (
        SELECT json_agg(json_build_array(t."table", t.status, coalesce(j.highest, 0), r."table" IS NOT NULL) ORDER BY t."table")
        FROM linked_table AS t
        LEFT JOIN journal AS j ON j.chain = t.chain AND j."table" = t."table" AND j.journal = t.journal
        LEFT JOIN open_round AS r ON r.chain = t.chain AND r."table" = t."table"
        WHERE t.chain = $1
    ) AS tables,
    (SELECT -balance_microcents FROM account WHERE chain = $1 AND account = 'wagers') AS taken_microcents,
    (
        SELECT count(*) FROM hit
        WHERE chain = $1 AND state IN ('pending', 'claimed', 'disputed', 'verified', 'approved')
    ) AS open_hits;
