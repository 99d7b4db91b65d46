-- One row per channel, local date from `first` to `last` and currency with events, except on the
-- UTC days in `apart`: the sums of their figures. The offsets are for all of these
-- dates.
SELECT
  channel, local_date AS day, local_date, currency, {sums}
FROM (
  SELECT
    channel, local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
    currency, {columns}
  FROM profit_slot
  WHERE one_of(channel, {channels:Array(Int32)})
    AND day >= {first:Date} - 1 AND day <= {last:Date} + 1
    AND NOT one_of(day, {apart:Array(Date)})
) AS slots
WHERE local_date >= {first:Date} AND local_date <= {last:Date}
GROUP BY channel, local_date, currency
