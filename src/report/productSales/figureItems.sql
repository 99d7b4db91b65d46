-- One row per SKU and product id with sales in a window, and one for its advertising: the part
-- `items` of figures.sql.
SELECT
  sku, product_id, sold_at, units_sold, total_sales, total_sales_converted,
  amount(0) AS ad_spend, 0 AS ad_spend_converted, amount(0) AS ad_sales, 0 AS ad_sales_converted,
  0 AS is_listed
FROM ({sales.sql}) AS sales
UNION ALL
SELECT
  sku, product_id, 0, 0, amount(0), 0,
  sum(unconverted(cost, currency)), sum_converted(cost, currency, day),
  sum(unconverted(sales, currency)), sum_converted(sales, currency, day), 0
FROM {advertised} AS advertised
GROUP BY sku, product_id
