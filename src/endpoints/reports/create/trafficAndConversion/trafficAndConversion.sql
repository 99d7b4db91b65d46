-- One row per row of a page and window with figures, the most viewed first. `is_current` is 1 for
-- the period and 0 for the comparison period, which is empty where it ends before it begins.
-- `report.ts` fills the places. The rows are parent products (`parents.sql`) or SKUs (`skus.sql`)
-- with traffic or sold units in either window: the first `most` behind the row with `views`,
-- `product` and `name`. An item is a SKU, or a product whose source reports no SKU. It belongs to
-- the product and the parent that its last figures name, else to those of the catalogue. Few short
-- columns decide which rows are in a page, and texts are read for the page alone, so that memory
-- suffices for any number of products. Where the rows are SKUs, the items of one are the SKU and
-- the product ids that it owns.
WITH
  seen AS (
    SELECT
      sku, {productIds}, max(day) AS last_day,
      sum(
        CASE WHEN day >= {first:Date} AND day <= {last:Date} AND {counts} THEN page_views ELSE 0 END
      ) AS page_views,
      max(CASE WHEN page_views + sessions + units > 0 THEN 1 ELSE 0 END) AS is_active
    FROM traffic
    WHERE channel = {channel:Int32} AND {inWindows}
    GROUP BY sku, {productIds}
  ),
  items AS (
    SELECT
      sku AS item_sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS item_product,
      {lastProductIds},
      CAST(sum(page_views) AS BIGINT) AS page_views,
      max(is_active) AS is_active
    FROM seen
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
  ),
  {members},
  figures AS (
    SELECT 1 AS is_current, sku AS figure_sku, {figures}
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    UNION ALL
    SELECT 0 AS is_current, sku AS figure_sku, {figures}
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {priorFirst:Date} AND day <= {priorLast:Date}
  ),
  sums AS (
    SELECT {row}, is_current, {sums}
    FROM members JOIN figures ON figure_sku = item_sku AND figure_product = item_product
    GROUP BY {row}, is_current
  )
SELECT {answer}
FROM sums {titles}
ORDER BY row_views DESC, {rowKey}, is_current DESC
