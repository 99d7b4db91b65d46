-- One row per figure of `products`, or of all products where it is empty, in the ranges of the
-- channels, with the name of its product.
SELECT *
FROM ({inRange.sql}) AS ranged
WHERE matches(product_sku, {products:Array(String)})
