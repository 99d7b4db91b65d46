-- One row per financial event from `from` to `to` of `skus`, or of all SKUs if it is empty, with
-- its local date.
SELECT
  local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
  local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS cost_day,
  sku, currency, line, source, amount, tax, quantity, fulfillment
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND matches(day, {days:Array(Date)})
  AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
  AND sku <> '' AND matches(sku, {skus:Array(String)})
