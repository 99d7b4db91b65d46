-- One row per item of `items`, with the product that it belongs to: its SKU or, where it names a
-- product id alone, the SKU of the catalogue with this id; where several SKUs or none have it, the
-- product id. The key of a product without a SKU is its id after `ofProduct`.
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
FROM {items} AS items
LEFT JOIN ({../productOwners.sql}) AS owners
  ON owned_product = CASE WHEN sku = '' THEN product_id ELSE '' END
