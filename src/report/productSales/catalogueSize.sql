-- One row per channel: the number of SKUs of its catalogue.
SELECT CAST(count(*) AS BIGINT) AS skus
FROM product
WHERE channel = {channel:Int32}
