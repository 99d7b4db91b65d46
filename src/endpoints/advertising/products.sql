-- One row per product with figures in the range: by the platform's product id, or by the SKU where
-- the figures have none.
SELECT * FROM sums
