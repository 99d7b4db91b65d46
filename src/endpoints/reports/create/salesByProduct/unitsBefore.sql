-- One row per SKU of `items` with order lines that are not canceled from `from90` to `to`: the
-- units of the last 30, 60 and 90 days.
WITH
  owners AS ({../../../../report/productOwners.sql}),
  ordered AS (
    SELECT
      CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END AS ordered_sku,
      purchased_at, quantity
    FROM order_line LEFT JOIN owners ON owned_product = product_id
    WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
      AND purchased_at >= {from90:Int64} AND purchased_at <= {to:Int64} AND status <> 'Canceled'
  )
SELECT
  ordered_sku AS sku,
  CAST(sum(CASE WHEN purchased_at >= {from30:Int64} THEN quantity ELSE 0 END) AS BIGINT)
    AS units_30,
  CAST(sum(CASE WHEN purchased_at >= {from60:Int64} THEN quantity ELSE 0 END) AS BIGINT)
    AS units_60,
  CAST(sum(quantity) AS BIGINT) AS units_90
FROM ordered
WHERE in_list(ordered_sku, {items:Array(String)})
GROUP BY ordered_sku
