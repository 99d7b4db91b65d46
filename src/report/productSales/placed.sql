-- One row per item of `{items}`, with the product that it belongs to: its SKU or, if it names only
-- a product id, the SKU of the catalogue with this id; if several SKUs or none have it, the product
-- id. The key of a product without a SKU is `ofProduct` followed by its id.
SELECT
  CASE
    WHEN sku <> '' THEN sku
    WHEN owner IS NOT NULL THEN owner
    ELSE concat({ofProduct:String}, product_id)
  END AS row_key,
  CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END AS row_sku,
  CASE WHEN sku <> '' OR owner IS NOT NULL THEN '' ELSE product_id END AS row_product,
  CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, first_sku) END AS entry_sku,
  items.*
FROM ({items}) AS items
LEFT JOIN ({owners}) AS owners ON owned_product = CASE WHEN sku = '' THEN product_id ELSE '' END
