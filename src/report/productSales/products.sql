-- One row per product of a page, in the order of its figures of the period.
SELECT
  row_key, row_sku, row_product, found_product, last_sold_at, units_sold, total_sales,
  total_sales_converted, ad_spend, ad_spend_converted, ad_sales, ad_sales_converted,
  listed_products,
  CAST(count(*) OVER () AS BIGINT) AS matching
FROM ({listedProducts.sql}) AS products
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
