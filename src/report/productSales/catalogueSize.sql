-- One row: the number of SKUs of the catalogue.
SELECT CAST(count(*) AS BIGINT) AS skus
FROM product
WHERE channel = {channel:Int32}
