-- One row per channel, day, item and currency with figures: their sums.
SELECT channel, day, {id} AS id, currency, {sums}
FROM {figures} AS figure
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, {id}, currency
