-- One row per date and currency with sales or advertising of the ASINs. Ordered figures and views
-- of product pages come from the manufacturing view; on a date on which any product has rows with
-- traffic only, such rows count the views instead.
WITH
  traffic_days AS (
    SELECT DISTINCT day
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND view = 'TRAFFIC'
  ),
  parts AS (
    SELECT
      day,
      currency,
      CASE
        WHEN view = 'TRAFFIC' THEN glance_views
        WHEN view = 'MANUFACTURING' AND day NOT IN (SELECT day FROM traffic_days) THEN glance_views
        ELSE 0
      END AS glance_views,
      CASE WHEN view = 'MANUFACTURING' THEN ordered_revenue ELSE amount(0) END AS ordered_revenue,
      CASE WHEN view = 'MANUFACTURING' THEN ordered_units ELSE 0 END AS ordered_units,
      CASE WHEN view = 'SOURCING' THEN shipped_revenue ELSE amount(0) END AS shipped_revenue,
      CASE WHEN view = 'SOURCING' THEN shipped_units ELSE 0 END AS shipped_units,
      CASE WHEN view = 'SOURCING' THEN shipped_cogs ELSE amount(0) END AS shipped_cogs,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_revenue ELSE amount(0) END
        AS shipped_revenue_manufacturing,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_units ELSE 0 END
        AS shipped_units_manufacturing,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_cogs ELSE amount(0) END
        AS shipped_cogs_manufacturing,
      0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND one_of(asin, {asins:Array(String)})
    UNION ALL
    SELECT
      day, currency, 0, amount(0), 0, amount(0), 0, amount(0),
      amount(0), 0, amount(0),
      impressions, clicks, cost, sales
    FROM ad_product_day
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND one_of(product_id, {asins:Array(String)})
  )
SELECT day, currency, {sums}
FROM parts
GROUP BY day, currency
