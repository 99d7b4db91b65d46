-- One row per channel, day, item and currency with figures in the table `{figures}` that meet the
-- condition `{rows}`: their sums.
SELECT channel, day, {id} AS id, currency, {sums}
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND {rows}
GROUP BY channel, day, {id}, currency
