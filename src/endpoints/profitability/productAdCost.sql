-- One row per SKU of `skus`, product id, date from `first` to `last` and currency with reported
-- advertising cost. Cost with only a product id belongs to the SKU of the catalogue with this id,
-- if exactly one has it. No rows for a channel for which an ad charge of a SKU was ever posted.
WITH
  owners AS ({../../report/productOwners.sql}),
  costs AS (
    SELECT
      CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END AS cost_sku,
      product_id, day, currency, cost
    FROM ad_product_day LEFT JOIN owners ON owned_product = product_id
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND cost <> amount(0)
      AND NOT EXISTS (
        SELECT 1 AS posted
        FROM profit_product_day
        WHERE channel = {channel:Int32} AND advertising <> amount(0)
        LIMIT 1
      )
  )
SELECT cost_sku AS sku, product_id, day AS local_date, currency, sum(cost) AS ad_cost
FROM costs
WHERE in_list(cost_sku, {skus:Array(String)})
GROUP BY cost_sku, product_id, day, currency
ORDER BY cost_sku, product_id, day, currency
