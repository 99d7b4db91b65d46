-- One row per date and currency with sales of a vendor, on the days asked for: every one from `first` to `last`, or those of `days` among them.
-- Where the marketplace tells the whole vendor's figures of a date and report, that row stands for them, and its product rows are not added.
-- Ordered figures and views of product pages are of the manufacturing view; a date with rows of traffic alone takes the views from those.
WITH
  totals AS (
    SELECT DISTINCT day, report FROM vendor_total WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  ),
  told AS (
    SELECT day, view, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs
    FROM vendor_total
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    UNION ALL
    SELECT day, view, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue, shipped_units, shipped_cogs
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND (day, report) NOT IN (SELECT day, report FROM totals)
  ),
  traffic_days AS (SELECT DISTINCT day FROM told WHERE view = 'TRAFFIC')
SELECT
  day,
  currency,
  CAST(sum(CASE WHEN view = 'TRAFFIC' OR (view = 'MANUFACTURING' AND day NOT IN (SELECT day FROM traffic_days)) THEN glance_views ELSE 0 END) AS BIGINT)
    AS glance_views,
  sum(CASE WHEN view = 'MANUFACTURING' THEN ordered_revenue ELSE amount(0) END) AS ordered_revenue,
  CAST(sum(CASE WHEN view = 'MANUFACTURING' THEN ordered_units ELSE 0 END) AS BIGINT) AS ordered_units,
  sum(CASE WHEN view = 'SOURCING' THEN shipped_revenue ELSE amount(0) END) AS shipped_revenue,
  CAST(sum(CASE WHEN view = 'SOURCING' THEN shipped_units ELSE 0 END) AS BIGINT) AS shipped_units,
  sum(CASE WHEN view = 'SOURCING' THEN shipped_cogs ELSE amount(0) END) AS shipped_cogs,
  sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_revenue ELSE amount(0) END) AS shipped_revenue_manufacturing,
  CAST(sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_units ELSE 0 END) AS BIGINT) AS shipped_units_manufacturing,
  sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_cogs ELSE amount(0) END) AS shipped_cogs_manufacturing
FROM told
WHERE matches(day, {days:Array(Date)})
GROUP BY day, currency
