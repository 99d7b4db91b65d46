-- One row per date of an item with traffic in a window, `first` to `last`, with the SKU that has or
-- owns it: the part `facts` of figures.sql. The key of a product that no SKU owns is its id after
-- `ofProduct`.
  owners AS ({../../../../report/productOwners.sql}),
  facts AS (
    SELECT
      CASE
        WHEN sku <> '' THEN sku
        WHEN owner IS NOT NULL THEN owner
        ELSE concat({ofProduct:String}, product_id)
      END AS row_key,
      day, currency, page_views, sessions, mobile_sessions, buy_box_views, buy_box_weighted, units,
      revenue
    FROM (
      SELECT *
      FROM traffic
      WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    ) AS seen
    LEFT JOIN owners ON owned_product = CASE WHEN sku = '' THEN product_id ELSE '' END
  )
