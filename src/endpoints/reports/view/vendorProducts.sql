-- One row per date and currency with sales or advertising of the ASINs asked for.
-- Ordered figures are of the manufacturing view, and so are views of product pages; on a date on which any product has rows of traffic
-- alone, the views are those of such rows.
WITH
  traffic_days AS (
    SELECT DISTINCT day
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND view = 'TRAFFIC'
  ),
  parts AS (
    SELECT
      day,
      currency,
      CASE WHEN view = 'TRAFFIC' OR (view = 'MANUFACTURING' AND day NOT IN (SELECT day FROM traffic_days)) THEN glance_views ELSE 0 END
        AS glance_views,
      CASE WHEN view = 'MANUFACTURING' THEN ordered_revenue ELSE amount(0) END AS ordered_revenue,
      CASE WHEN view = 'MANUFACTURING' THEN ordered_units ELSE 0 END AS ordered_units,
      CASE WHEN view = 'SOURCING' THEN shipped_revenue ELSE amount(0) END AS shipped_revenue,
      CASE WHEN view = 'SOURCING' THEN shipped_units ELSE 0 END AS shipped_units,
      CASE WHEN view = 'SOURCING' THEN shipped_cogs ELSE amount(0) END AS shipped_cogs,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_revenue ELSE amount(0) END AS shipped_revenue_manufacturing,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_units ELSE 0 END AS shipped_units_manufacturing,
      CASE WHEN view = 'MANUFACTURING' THEN shipped_cogs ELSE amount(0) END AS shipped_cogs_manufacturing,
      0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND one_of(asin, {asins:Array(String)})
    UNION ALL
    SELECT
      day, currency, 0, amount(0), 0, amount(0), 0, amount(0),
      amount(0), 0, amount(0),
      impressions, clicks, cost, sales
    FROM ad_product_day
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND one_of(product_id, {asins:Array(String)})
  )
SELECT
  day,
  currency,
  CAST(sum(glance_views) AS BIGINT) AS glance_views,
  sum(ordered_revenue) AS ordered_revenue,
  CAST(sum(ordered_units) AS BIGINT) AS ordered_units,
  sum(shipped_revenue) AS shipped_revenue,
  CAST(sum(shipped_units) AS BIGINT) AS shipped_units,
  sum(shipped_cogs) AS shipped_cogs,
  sum(shipped_revenue_manufacturing) AS shipped_revenue_manufacturing,
  CAST(sum(shipped_units_manufacturing) AS BIGINT) AS shipped_units_manufacturing,
  sum(shipped_cogs_manufacturing) AS shipped_cogs_manufacturing,
  CAST(sum(impressions) AS BIGINT) AS impressions,
  CAST(sum(clicks) AS BIGINT) AS clicks,
  sum(ad_cost) AS ad_cost,
  sum(ad_sales) AS ad_sales
FROM parts
GROUP BY day, currency
