-- One row per product, date and report of the orders and views in either window: the part `sales`
-- of asins.sql. On a date on which any product has rows with traffic only, such rows count the
-- views instead of the others.
SELECT
  asin, day, currency, units, ordered_revenue, glance_views,
  CASE WHEN ordered_revenue <> amount(0) THEN 1 ELSE 0 END AS is_priced,
  CASE
    WHEN units <> 0 OR glance_views <> 0 OR ordered_revenue <> amount(0) THEN 1 ELSE 0
  END AS is_active
FROM (
  SELECT
    asin, day, currency, ordered_units AS units, ordered_revenue,
    CASE
      WHEN view = 'TRAFFIC' OR day NOT IN (
        SELECT day
        FROM vendor_sale
        WHERE channel = {channel:Int32} AND (
          (day >= {first:Date} AND day <= {last:Date})
          OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
        ) AND view = 'TRAFFIC'
      ) THEN glance_views
      ELSE 0
    END AS glance_views
  FROM vendor_sale
  WHERE channel = {channel:Int32} AND (
    (day >= {first:Date} AND day <= {last:Date})
    OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
  ) AND view IN ('MANUFACTURING', 'TRAFFIC')
) AS counted
