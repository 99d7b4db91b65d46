-- One row per product with facts in a window, from `from` to `to`: only `keys`, or all if it is
-- empty.
SELECT
  row_key,
  row_sku,
  row_product,
  max(entry_sku) AS entry_sku,
  max(product_id) AS found_product,
  max(is_listed) AS is_listed,
  nullif(max(sold_at), 0) AS last_sold_at,
  CAST(sum(units_sold) AS BIGINT) AS units_sold,
  sum(total_sales) AS total_sales,
  CAST(sum(total_sales_converted) AS DOUBLE) AS total_sales_converted,
  sum(ad_spend) AS ad_spend,
  CAST(sum(ad_spend_converted) AS DOUBLE) AS ad_spend_converted,
  sum(ad_sales) AS ad_sales,
  CAST(sum(ad_sales_converted) AS DOUBLE) AS ad_sales_converted
FROM ({placed.sql}) AS placed
WHERE matches(row_key, {keys:Array(String)})
GROUP BY row_key, row_sku, row_product
