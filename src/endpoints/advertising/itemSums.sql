-- One row per item of the channels with figures in their ranges, at most `limit`: its sums.
SELECT channel, {id} AS id, {sums}
FROM {figures} AS figure
GROUP BY channel, {id}
LIMIT {limit:Int32}
