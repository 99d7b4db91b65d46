-- One row per channel, date and currency with campaign figures.
SELECT channel, day, currency, {sums}
FROM campaign_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, currency
