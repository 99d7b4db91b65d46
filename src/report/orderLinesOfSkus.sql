-- One row per channel, local day, step of `step` seconds and currency with order lines of SKUs.
-- Canceled lines add nothing, but their row remains: the bucket then has facts, which sum to zero.
-- A line without a SKU belongs to the SKU that owns its product id.
SELECT
  channel,
  local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  floor_multiple(purchased_at, {step:Int64}) AS step_at,
  currency,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN 1 ELSE 0 END) AS BIGINT) AS line_items,
  CAST(sum(CASE WHEN status <> 'Canceled' THEN quantity ELSE 0 END) AS BIGINT) AS units,
  sum(CASE WHEN status <> 'Canceled' THEN item_price ELSE amount(0) END) AS item_price,
  sum(CASE WHEN status <> 'Canceled' THEN item_tax ELSE amount(0) END) AS item_tax
FROM order_line
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64}
  AND (one_of(sku, {skus:Array(String)}) OR (sku = '' AND (channel, product_id) IN (
    SELECT channel, product_id
    FROM product
    WHERE one_of(channel, {channels:Array(Int32)}) AND product_id <> ''
    GROUP BY channel, product_id
    HAVING count(*) = 1 AND one_of(min(sku), {skus:Array(String)})
  )))
GROUP BY
  channel, local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}),
  floor_multiple(purchased_at, {step:Int64}), currency
