-- One row in all for a channel for which an ad charge of a SKU was ever posted, else none.
SELECT 1 AS posted
FROM profit_product_day
WHERE channel = {channel:Int32} AND advertising <> amount(0)
LIMIT 1
