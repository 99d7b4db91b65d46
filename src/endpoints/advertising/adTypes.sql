-- One row per channel and `id` of `ids` with figures in the range: the type of its advertising, as
-- the figures have it.
SELECT channel, {id} AS id, max(ad_type) AS ad_type
FROM {figures} AS figure
WHERE one_of({id}, {ids:Array(String)})
GROUP BY channel, {id}
