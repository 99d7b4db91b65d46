-- One row per channel, day and currency with figures in the table `{figures}`: the number of
-- figures that meet the condition `{rows}`.
SELECT channel, day, currency, CAST(count(*) AS BIGINT) AS figures
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND {rows}
GROUP BY channel, day, currency
