-- One row per SKU of `skus`, product id, date from `first` to `last` and currency with reported
-- advertising cost. No rows for a channel that ever had an ad charge of a SKU posted.
SELECT sku, product_id, day AS local_date, currency, sum(cost) AS ad_cost
FROM ad_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(sku, {skus:Array(String)}) AND cost <> amount(0)
  AND NOT EXISTS (
    SELECT 1 AS posted
    FROM profit_product_day
    WHERE channel = {channel:Int32} AND advertising <> amount(0)
    LIMIT 1
  )
GROUP BY sku, product_id, day, currency
ORDER BY sku, product_id, day, currency
