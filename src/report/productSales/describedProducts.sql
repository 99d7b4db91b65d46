-- One row per product of a page, in any order, that a search finds and that is in stock, unless
-- `includeOutOfStock` is 1. `soldSince`, `entriesOf` (the channel, or 0) and `stockUntil` limit the
-- last sales, entries of the catalogue and snapshots of the inventory that are read.
SELECT
  row_key, row_sku, row_product, found_product, last_sold_at, units_sold, total_sales,
  total_sales_converted, ad_spend, ad_spend_converted, ad_sales, ad_sales_converted,
  listed_products,
  CAST(count(*) OVER () AS BIGINT) AS matching
FROM (
  SELECT
    products.row_key AS row_key, row_sku, row_product, row_id, found_product, units_sold,
    total_sales, total_sales_converted, ad_spend, ad_spend_converted, ad_sales, ad_sales_converted,
    listed_products,
    coalesce(products.last_sold_at, earlier.last_sold_at) AS last_sold_at,
    out_since,
    coalesce(nullif(entry.product_id, ''), nullif(row_product, ''), found_product) AS product_sku,
    coalesce(entry.title, '') AS title,
    coalesce(entry.link_url, '') AS link_url,
    coalesce(entry.image_url, '') AS image_url,
    CASE WHEN row_sku <> '' AND entry.price > amount(0) THEN entry.price END AS price
  FROM ({listedProducts.sql}) AS products
  LEFT JOIN {lastSales} AS earlier ON earlier.row_key = products.row_key
  LEFT JOIN (
    SELECT sku, product_id, title, link_url, image_url, price
    FROM product
    WHERE channel = {channel:Int32} AND channel = {entriesOf:Int32}
  ) AS entry ON entry.sku = entry_sku
  LEFT JOIN ({stock.sql}) AS stock ON stock.sku = row_sku
) AS described
WHERE ({includeOutOfStock:Int32} = 1 OR out_since IS NULL) AND (
  contains(lower(title), lower({searchText:String}))
  OR contains(lower(row_sku), lower({searchText:String}))
  OR contains(lower(product_sku), lower({searchText:String}))
)
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
