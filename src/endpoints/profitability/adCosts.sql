-- One row per product, date and type of advertising with cost.
SELECT channel, day, sku, product_id, currency, cost
FROM ad_product_day
WHERE cost <> amount(0)
