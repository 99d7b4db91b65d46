-- One row per channel and `id` of `ids` with figures in the range: their sums and, for lists that show
-- it, the type of advertising. `{inRange}` is the condition on figures.
SELECT channel, {id} AS id, {sums}
FROM {figures}
WHERE {inRange} AND in_list({id}, {ids:Array(String)})
GROUP BY channel, {id}
