-- One row per channel, local day from `first` to `last` and currency with order lines of the whole
-- store, from quarters of an hour. The offsets are for a year that includes all these days.
SELECT
  channel,
  local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  currency,
  CAST(sum(line_items) AS BIGINT) AS line_items,
  CAST(sum(units) AS BIGINT) AS units,
  sum(item_price) AS item_price,
  sum(item_tax) AS item_tax
FROM order_slot
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} - 1 AND day <= {last:Date} + 1
  AND local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) >= {first:Date}
  AND local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) <= {last:Date}
GROUP BY
  channel, local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}), currency
