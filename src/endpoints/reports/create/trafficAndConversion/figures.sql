-- One row per row of the report with traffic in a window: of `keys`, or of all where it is empty.
-- The end of parentFigures.sql and skuFigures.sql, whose `facts` it sums up.
SELECT
  row_key,
  CAST(sum(page_views) AS BIGINT) AS page_views,
  CAST(sum(sessions) AS BIGINT) AS sessions,
  CAST(sum(mobile_sessions) AS BIGINT) AS mobile_sessions,
  CAST(sum(buy_box_views) AS BIGINT) AS buy_box_views,
  sum(buy_box_weighted) AS buy_box_weighted,
  CAST(sum(units) AS BIGINT) AS units,
  sum(unconverted(revenue, currency)) AS revenue,
  CAST(sum_converted(revenue, currency, day) AS DOUBLE) AS revenue_converted
FROM facts
WHERE matches(row_key, {keys:Array(String)})
GROUP BY row_key
