-- One row per channel with SKUs in its snapshot of `day` that the marketplace fulfils and that sold
-- from `soldFrom` to `day`: the number of these SKUs, and how many of them have no units available.
-- The snapshot states who fulfils a SKU, else its product does; if neither does, it is the
-- marketplace, because it holds inventory. A SKU sold if the snapshot, an order line or the
-- marketplace's traffic figures show it.
WITH
  stock AS (
    SELECT
      channel AS stock_channel,
      sku AS stock_sku,
      first_by(nullif(fulfilled_by_marketplace, -1), report, {stock:Array(String)}) AS is_theirs,
      first_by(available, report, {stock:Array(String)}) AS available,
      max(greatest(units_shipped_7, units_shipped_30, units_shipped_60, units_shipped_90))
        AS shipped
    FROM inventory
    WHERE one_of(channel, {channels:Array(Int32)}) AND day = {day:Date}
    GROUP BY channel, sku
  ),
  sold AS (
    SELECT channel, sku
    FROM order_line
    WHERE one_of(channel, {channels:Array(Int32)})
      AND day >= {soldFrom:Date} AND day <= {day:Date} AND status <> 'Canceled' AND quantity > 0
    GROUP BY channel, sku
    UNION ALL
    SELECT channel, sku
    FROM traffic
    WHERE one_of(channel, {channels:Array(Int32)})
      AND day >= {soldFrom:Date} AND day <= {day:Date} AND units > 0
    GROUP BY channel, sku
  ),
  catalogue AS (
    SELECT
      channel AS product_channel, sku AS product_sku,
      nullif(fulfilled_by_marketplace, -1) AS product_is_theirs
    FROM product
    WHERE one_of(channel, {channels:Array(Int32)})
  )
SELECT
  stock_channel AS channel,
  CAST(count(*) AS BIGINT) AS skus,
  CAST(sum(CASE WHEN available <= 0 THEN 1 ELSE 0 END) AS BIGINT) AS skus_out
FROM stock
LEFT JOIN catalogue ON product_channel = stock_channel AND product_sku = stock_sku
WHERE coalesce(is_theirs, product_is_theirs, 1) = 1
  AND (shipped > 0 OR (stock_channel, stock_sku) IN (SELECT channel, sku FROM sold))
GROUP BY stock_channel
