-- One row per channel, day and currency with figures: their number.
SELECT channel, day, currency, CAST(count(*) AS BIGINT) AS figures
FROM {figures} AS figure
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, currency
