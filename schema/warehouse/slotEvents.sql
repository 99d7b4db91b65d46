-- One row per financial event on the days from `first` to `last`, or on those of `days`, with the
-- start of its quarter of an hour.
SELECT
  day, floor_multiple(posted_at, 900) AS slot_at, day AS cost_day,
  sku, currency, line, source, amount, tax, quantity, fulfillment
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches(day, {days:Array(Date)})
