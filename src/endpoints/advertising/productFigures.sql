-- One row per figure of advertised products, with the name of its product: the platform's product
-- id, or the SKU where the figure has none.
SELECT *, CASE WHEN product_id = '' THEN sku ELSE product_id END AS product_sku
FROM ad_product_day
