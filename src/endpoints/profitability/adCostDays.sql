-- One row per channel, day, item and currency with advertising cost: its sum. An item is a SKU or,
-- where the figures have none, a product id after `ofProduct`.
SELECT
  channel, day,
  CASE WHEN sku <> '' THEN sku ELSE concat({ofProduct:String}, product_id) END AS id,
  currency, sum(cost) AS cost
FROM ({adCosts.sql}) AS costs
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, id, currency
