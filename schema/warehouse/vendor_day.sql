-- One row per date and currency with sales of a vendor. Where the marketplace reports the figures
-- of the whole vendor for a date and report, the rows of its products are not added. Ordered
-- figures and glance views come from the manufacturing view; a date with rows of traffic takes its
-- glance views from those rows.
WITH
  totals AS (
    SELECT DISTINCT day, report
    FROM vendor_total
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  ),
  reported AS (
    SELECT
      day, view, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue,
      shipped_units, shipped_cogs
    FROM vendor_total
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    UNION ALL
    SELECT
      day, view, currency, glance_views, ordered_revenue, ordered_units, shipped_revenue,
      shipped_units, shipped_cogs
    FROM vendor_sale
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND (day, report) NOT IN (SELECT day, report FROM totals)
  ),
  traffic_days AS (SELECT DISTINCT day FROM reported WHERE view = 'TRAFFIC')
SELECT
  day,
  currency,
  CAST(sum(
    CASE
      WHEN view = 'TRAFFIC'
        OR (view = 'MANUFACTURING' AND day NOT IN (SELECT day FROM traffic_days))
      THEN glance_views
      ELSE 0
    END
  ) AS BIGINT) AS glance_views,
  sum(CASE WHEN view = 'MANUFACTURING' THEN ordered_revenue ELSE amount(0) END) AS ordered_revenue,
  CAST(sum(CASE WHEN view = 'MANUFACTURING' THEN ordered_units ELSE 0 END) AS BIGINT)
    AS ordered_units,
  sum(CASE WHEN view = 'SOURCING' THEN shipped_revenue ELSE amount(0) END) AS shipped_revenue,
  CAST(sum(CASE WHEN view = 'SOURCING' THEN shipped_units ELSE 0 END) AS BIGINT) AS shipped_units,
  sum(CASE WHEN view = 'SOURCING' THEN shipped_cogs ELSE amount(0) END) AS shipped_cogs,
  sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_revenue ELSE amount(0) END)
    AS shipped_revenue_manufacturing,
  CAST(sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_units ELSE 0 END) AS BIGINT)
    AS shipped_units_manufacturing,
  sum(CASE WHEN view = 'MANUFACTURING' THEN shipped_cogs ELSE amount(0) END)
    AS shipped_cogs_manufacturing
FROM reported
WHERE matches(day, {days:Array(Date)})
GROUP BY day, currency
