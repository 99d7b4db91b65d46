-- One row per local date and currency with events of channels in the quarters of an hour from
-- `from` to `to`, except on the UTC days in `apart`: the sums of their figures.
SELECT
  local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
  currency,
  {sums}
FROM profit_slot
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND slot_at >= {from:Int64} AND slot_at <= {to:Int64}
  AND NOT one_of(day, {apart:Array(Date)})
GROUP BY local_date, currency
