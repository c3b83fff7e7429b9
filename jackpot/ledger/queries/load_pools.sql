-- load_pools: the life of each pool.
SELECT pool, epoch, last_fall_commit, last_fall_cause, began, corrected, taken FROM pool WHERE chain = $1 ORDER BY pool
