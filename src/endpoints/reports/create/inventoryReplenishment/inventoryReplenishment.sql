-- One row per SKU of the snapshot of `day` that the marketplace fulfils, fewest days of cover
-- first, unknown cover last. The snapshot states who fulfils a SKU, else its product does; if
-- neither does, it is the marketplace, because it holds inventory. `stock`, `shipped` and so on
-- name the reports that state these figures: for each SKU, the first report counts. If no report
-- states the units shipped, they are the units ordered from `from7`, `from30`, ... to `until`,
-- provided that `hasOrders` is 1: units of a product id alone count for the only SKU that has it in
-- the catalogue. `cover_tenths` are tenths of days, rounded half up, as shown. `velocity_units` are
-- sold in `velocity_days`; null means unknown, 0 that nothing is sold.
WITH
  reported AS (
    SELECT
      sku,
      first_by(nullif(asin, ''), report, {stock:Array(String)}) AS asin,
      first_by(nullif(title, ''), report, {stock:Array(String)}) AS title,
      first_by(nullif(fulfilled_by_marketplace, -1), report, {stock:Array(String)}) AS is_theirs,
      first_by(available, report, {stock:Array(String)}) AS available,
      first_by(reserved, report, {stock:Array(String)}) AS reserved,
      first_by(inbound, report, {stock:Array(String)}) AS inbound,
      first_by(unfulfillable, report, {stock:Array(String)}) AS unfulfillable,
      first_by(fc_transfer, report, {transfer:Array(String)}) AS fc_transfer,
      first_by(awd_onhand, report, {longTerm:Array(String)}) AS awd_onhand,
      first_by(awd_inbound, report, {longTerm:Array(String)}) AS awd_inbound,
      first_by(nullif(units_shipped_7, -1), report, {shipped:Array(String)}) AS shipped_7,
      first_by(nullif(units_shipped_30, -1), report, {shipped30:Array(String)}) AS shipped_30,
      first_by(nullif(units_shipped_60, -1), report, {shipped:Array(String)}) AS shipped_60,
      first_by(nullif(units_shipped_90, -1), report, {shipped:Array(String)}) AS shipped_90,
      first_by(storage_type, report, {storage:Array(String)}) AS storage_type,
      first_by(storage_volume, report, {storage:Array(String)}) AS storage_volume,
      first_by(storage_cost_next_month, report, {storage:Array(String)}) AS storage_cost,
      first_by(currency, report, {storage:Array(String)}) AS currency
    FROM inventory
    WHERE channel = {channel:Int32} AND day = {day:Date}
    GROUP BY sku
  ),
  owners AS ({../../../../report/productOwners.sql}),
  ordered AS (
    SELECT
      CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END AS ordered_sku,
      CAST(sum(CASE WHEN purchased_at >= {from7:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_7,
      CAST(sum(CASE WHEN purchased_at >= {from30:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_30,
      CAST(sum(CASE WHEN purchased_at >= {from60:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_60,
      CAST(sum(quantity) AS BIGINT) AS ordered_90
    FROM order_line LEFT JOIN owners ON owned_product = product_id
    WHERE {hasOrders:Int32} = 1 AND channel = {channel:Int32}
      AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
      AND purchased_at >= {from90:Int64} AND purchased_at <= {until:Int64}
      AND status <> 'Canceled'
    GROUP BY CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END
  ),
  catalogue AS (
    SELECT
      sku AS product_sku, product_id, title AS product_title, units_per_case,
      nullif(fulfilled_by_marketplace, -1) AS product_is_theirs
    FROM product
    WHERE channel = {channel:Int32}
  ),
  known AS (
    SELECT
      reported.sku AS sku,
      coalesce(reported.asin, catalogue.product_id, '') AS asin,
      coalesce(nullif(catalogue.product_title, ''), reported.title, '') AS title,
      available, reserved, inbound, unfulfillable, fc_transfer, awd_onhand, awd_inbound,
      storage_type, storage_volume, storage_cost, currency,
      CASE WHEN {hasOrders:Int32} = 1 THEN coalesce(shipped_7, ordered_7, 0) ELSE shipped_7 END
        AS sold_7,
      CASE WHEN {hasOrders:Int32} = 1 THEN coalesce(shipped_30, ordered_30, 0) ELSE shipped_30 END
        AS sold_30,
      CASE WHEN {hasOrders:Int32} = 1 THEN coalesce(shipped_60, ordered_60, 0) ELSE shipped_60 END
        AS sold_60,
      CASE WHEN {hasOrders:Int32} = 1 THEN coalesce(shipped_90, ordered_90, 0) ELSE shipped_90 END
        AS sold_90,
      coalesce(catalogue.units_per_case, 0) AS units_per_case
    FROM reported
    LEFT JOIN ordered ON ordered_sku = reported.sku
    LEFT JOIN catalogue ON catalogue.product_sku = reported.sku
    WHERE coalesce(reported.is_theirs, catalogue.product_is_theirs, 1) = 1
  ),
  paced AS (
    SELECT
      *,
      CASE
        WHEN sold_30 > 0 THEN sold_30
        WHEN sold_60 > 0 THEN sold_60
        ELSE coalesce(sold_90, sold_60, sold_30)
      END AS velocity_units,
      CASE WHEN sold_30 > 0 THEN 30 WHEN sold_60 > 0 THEN 60 ELSE 90 END AS velocity_days
    FROM known
  ),
  covered AS (
    SELECT
      *,
      CASE
        WHEN available = 0 THEN 0
        WHEN velocity_units > 0 THEN CAST(
          floor_multiple(
            available * velocity_days * 20 + velocity_units,
            greatest(velocity_units, 1) * 2
          ) / (greatest(velocity_units, 1) * 2)
          AS BIGINT
        )
      END AS cover_tenths
    FROM paced
  )
SELECT *
FROM covered
ORDER BY CASE WHEN cover_tenths IS NULL THEN 1 ELSE 0 END, cover_tenths, sku
