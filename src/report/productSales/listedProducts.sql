-- One row per listed product, with its figures of the period, and the number of listed products:
-- the products that were sold in it (or have facts in it, if `includeUnsold` is 1), and the
-- products with an item of `listed`. Pages are made of these rows.
SELECT
  *,
  CASE WHEN row_sku <> '' THEN row_sku ELSE row_product END AS row_id,
  CAST(count(*) OVER () AS BIGINT) AS listed_products
FROM ({figures.sql}) AS products
WHERE {includeUnsold:Int32} = 1 OR is_listed = 1
  OR units_sold <> 0 OR total_sales <> amount(0) OR total_sales_converted <> 0
