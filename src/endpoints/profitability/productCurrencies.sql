-- One row per currency other than `currency` in which any of the SKUs asked for was sold in the range, with the first and the last day of that.
-- UTC days from `firstWhole` to `lastWhole` are in the range as a whole; `firstUtc` and `lastUtc` may be in it in part. `everySku` says that
-- there is no restriction, `withTax` whether tax counts.
SELECT currency, min(day) AS first_day, max(day) AS last_day
FROM (
  SELECT day, currency
  FROM profit_product_day
  WHERE channel = {channel:Int32} AND day >= {firstWhole:Date} AND day <= {lastWhole:Date} AND currency <> {currency:String}
    AND (sales <> amount(0) OR ({withTax:Int32} = 1 AND sales_tax <> amount(0)))
    AND ({everySku:Int32} = 1 OR one_of(sku, {skus:Array(String)}))
  UNION ALL
  SELECT day, currency
  FROM finance_event
  WHERE channel = {channel:Int32} AND day IN ({firstUtc:Date}, {lastUtc:Date}) AND (day < {firstWhole:Date} OR day > {lastWhole:Date})
    AND posted_at >= {from:Int64} AND posted_at <= {to:Int64} AND currency <> {currency:String} AND line = 'sales' AND sku <> ''
    AND (amount <> amount(0) OR ({withTax:Int32} = 1 AND tax <> amount(0)))
    AND ({everySku:Int32} = 1 OR one_of(sku, {skus:Array(String)}))
) AS sold
GROUP BY currency
