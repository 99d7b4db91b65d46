-- One row per channel and product id of the catalogue, with the first SKU that has it, and with the
-- owner: the SKU of figures that name only the product id, NULL if several SKUs have it.
SELECT
  channel AS owner_channel,
  product_id AS owned_product,
  min(sku) AS first_sku,
  CASE WHEN count(*) = 1 THEN min(sku) END AS owner
FROM product
WHERE {ofChannels} AND product_id <> ''
GROUP BY channel, product_id
