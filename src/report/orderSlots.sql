-- One row per channel, local day, step of `step` seconds and currency with order lines of the whole
-- store, from whole quarters of an hour. A step longer than all time divides only by day.
SELECT
  channel,
  local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  floor_multiple(slot_at, {step:Int64}) AS step_at,
  currency,
  CAST(sum(line_items) AS BIGINT) AS line_items,
  CAST(sum(units) AS BIGINT) AS units,
  sum(item_price) AS item_price,
  sum(item_tax) AS item_tax
FROM order_slot
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND slot_at >= {from:Int64} AND slot_at <= {to:Int64}
GROUP BY
  channel, local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}),
  floor_multiple(slot_at, {step:Int64}), currency
