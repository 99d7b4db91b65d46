-- One row per SKU of `skus`, or of all SKUs if it is empty, UTC day from `first` to `last` and
-- currency with financial events: the sums of their figures and units.
SELECT day, sku, day AS cost_day, sku AS event_sku, currency, {figureColumns}
FROM profit_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches(sku, {skus:Array(String)})
