-- One row per product with orders or views in a window: only `keys`, or all if it is empty. The
-- window is `first` to `last`, and the same in `priorFirst` and `priorLast`.
SELECT
  asin AS row_key,
  CAST(sum(units) AS BIGINT) AS ordered_units,
  CAST(sum(glance_views) AS BIGINT) AS glance_views,
  sum(unconverted(ordered_revenue, currency)) AS ordered_revenue,
  CAST(sum_converted(ordered_revenue, currency, day) AS DOUBLE) AS ordered_revenue_converted
FROM {sales} AS sale
WHERE matches(asin, {keys:Array(String)})
GROUP BY asin
