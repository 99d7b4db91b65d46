-- One row per channel and `id` of `ids` with figures in the range: its type of advertising in the
-- figures. `{inRange}` is the condition on the figures.
SELECT channel, {id} AS id, max(ad_type) AS ad_type
FROM {figures}
WHERE {inRange} AND one_of({id}, {ids:Array(String)})
GROUP BY channel, {id}
