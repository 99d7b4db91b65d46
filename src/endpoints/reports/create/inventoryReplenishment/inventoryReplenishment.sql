-- One row per SKU of the snapshot of `day`, fewest days of cover first, unknown cover last. A SKU
-- that the catalogue says the seller ships is skipped where nothing is stored and nothing was
-- shipped. `stock`, `shipped` and so on name the reports that have these figures: of a SKU the
-- first counts. Units that no report has as shipped are those ordered from `from7`, `from30`, ...
-- to `until`, where `hasOrders` is 1. `cover_tenths` are tenths of days, rounded half up, as
-- shown. `velocity_units` are sold in `velocity_days`; null means unknown, 0 that nothing is sold.
WITH
  ranked AS (
    SELECT
      *,
      CASE
        WHEN one_of(report, {stock:Array(String)})
        THEN index_of({stock:Array(String)}, report)
        ELSE 99
      END AS by_stock,
      CASE
        WHEN one_of(report, {shipped:Array(String)})
        THEN index_of({shipped:Array(String)}, report)
        ELSE 99
      END AS by_shipped,
      CASE
        WHEN one_of(report, {shipped30:Array(String)})
        THEN index_of({shipped30:Array(String)}, report)
        ELSE 99
      END AS by_shipped_30,
      CASE
        WHEN one_of(report, {transfer:Array(String)})
        THEN index_of({transfer:Array(String)}, report)
        ELSE 99
      END AS by_transfer,
      CASE
        WHEN one_of(report, {storage:Array(String)})
        THEN index_of({storage:Array(String)}, report)
        ELSE 99
      END AS by_storage,
      CASE
        WHEN one_of(report, {longTerm:Array(String)})
        THEN index_of({longTerm:Array(String)}, report)
        ELSE 99
      END AS by_long_term
    FROM inventory
    WHERE channel = {channel:Int32} AND day = {day:Date}
  ),
  reported AS (
    SELECT
      sku,
      argMin(asin, CASE WHEN asin = '' THEN 99 ELSE by_stock END) AS asin,
      argMin(title, CASE WHEN title = '' THEN 99 ELSE by_stock END) AS title,
      argMin(available, by_stock) AS available,
      argMin(reserved, by_stock) AS reserved,
      argMin(inbound, by_stock) AS inbound,
      argMin(unfulfillable, by_stock) AS unfulfillable,
      CASE WHEN min(by_transfer) < 99 THEN argMin(fc_transfer, by_transfer) END AS fc_transfer,
      CASE WHEN min(by_long_term) < 99 THEN argMin(awd_onhand, by_long_term) END AS awd_onhand,
      CASE WHEN min(by_long_term) < 99 THEN argMin(awd_inbound, by_long_term) END AS awd_inbound,
      CASE WHEN min(by_shipped) < 99 THEN argMin(units_shipped_7, by_shipped) END AS shipped_7,
      CASE WHEN min(by_shipped_30) < 99 THEN argMin(units_shipped_30, by_shipped_30) END
        AS shipped_30,
      CASE WHEN min(by_shipped) < 99 THEN argMin(units_shipped_60, by_shipped) END AS shipped_60,
      CASE WHEN min(by_shipped) < 99 THEN argMin(units_shipped_90, by_shipped) END AS shipped_90,
      CASE WHEN min(by_storage) < 99 THEN argMin(storage_type, by_storage) END AS storage_type,
      CASE WHEN min(by_storage) < 99 THEN argMin(storage_volume, by_storage) END AS storage_volume,
      CASE WHEN min(by_storage) < 99 THEN argMin(storage_cost_next_month, by_storage) END
        AS storage_cost,
      CASE WHEN min(by_storage) < 99 THEN argMin(currency, by_storage) END AS currency
    FROM ranked
    GROUP BY sku
  ),
  ordered AS (
    SELECT
      sku,
      CAST(sum(CASE WHEN purchased_at >= {from7:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_7,
      CAST(sum(CASE WHEN purchased_at >= {from30:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_30,
      CAST(sum(CASE WHEN purchased_at >= {from60:Int64} THEN quantity ELSE 0 END) AS BIGINT)
        AS ordered_60,
      CAST(sum(quantity) AS BIGINT) AS ordered_90
    FROM order_line
    WHERE {hasOrders:Int32} = 1 AND channel = {channel:Int32}
      AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
      AND purchased_at >= {from90:Int64} AND purchased_at <= {until:Int64}
      AND status <> 'Canceled'
    GROUP BY sku
  ),
  catalogue AS (
    SELECT
      sku AS product_sku, product_id, title AS product_title, units_per_case,
      fulfilled_by_marketplace
    FROM product
    WHERE channel = {channel:Int32}
  ),
  known AS (
    SELECT
      reported.sku AS sku,
      CASE
        WHEN reported.asin = '' THEN coalesce(catalogue.product_id, '')
        ELSE reported.asin
      END AS asin,
      CASE
        WHEN coalesce(catalogue.product_title, '') = '' THEN reported.title
        ELSE catalogue.product_title
      END AS title,
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
    LEFT JOIN ordered ON ordered.sku = reported.sku
    LEFT JOIN catalogue ON catalogue.product_sku = reported.sku
    WHERE coalesce(catalogue.fulfilled_by_marketplace, 1) = 1
      OR available + reserved + inbound + unfulfillable
        + coalesce(awd_onhand, 0) + coalesce(awd_inbound, 0) > 0
      OR coalesce(shipped_30, 0) + coalesce(shipped_60, 0) + coalesce(shipped_90, 0) > 0
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
