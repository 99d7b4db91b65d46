-- One row per SKU and product id with sales in a window: the part `sales` of questions.
SELECT
  sku, product_id,
  max(sold_at) AS sold_at,
  CAST(sum(units) AS BIGINT) AS units_sold,
  sum(unconverted(revenue, currency)) AS total_sales,
  CAST(sum_converted(revenue, currency, day) AS DOUBLE) AS total_sales_converted
FROM {sold} AS sold
GROUP BY sku, product_id
