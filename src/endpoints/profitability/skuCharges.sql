-- One row in all in a channel that ever had an ad charge of a SKU posted, else none.
SELECT 1 AS posted
FROM profit_product_day
WHERE channel = {channel:Int32} AND advertising <> amount(0)
LIMIT 1
