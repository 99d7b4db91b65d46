-- One row per product with figures in the range: by the platform's product id, or by the SKU if the
-- figures have no product id.
SELECT * FROM sums
