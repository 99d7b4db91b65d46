-- One row per currency other than `currency` in which any of the requested SKUs was sold in the
-- range, with the first and the last day of its sales. The UTC days from `firstWhole` to
-- `lastWhole` lie wholly in the range; `firstUtc` and `lastUtc` may lie in it partly. `withTax` is
-- 1 if tax counts as sales.
SELECT currency, min(day) AS first, max(day) AS last
FROM (
  SELECT day, currency
  FROM profit_product_day
  WHERE channel = {channel:Int32} AND day >= {firstWhole:Date} AND day <= {lastWhole:Date}
    AND currency <> {currency:String} AND matches(sku, {skus:Array(String)})
    AND (sales <> amount(0) OR ({withTax:Int32} = 1 AND sales_tax <> amount(0)))
  UNION ALL
  SELECT day, currency
  FROM finance_event
  WHERE channel = {channel:Int32} AND day IN ({firstUtc:Date}, {lastUtc:Date})
    AND (day < {firstWhole:Date} OR day > {lastWhole:Date})
    AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
    AND currency <> {currency:String} AND line = 'sales'
    AND sku <> '' AND matches(sku, {skus:Array(String)})
  GROUP BY sku, day, currency
  HAVING sum(amount) <> amount(0) OR ({withTax:Int32} = 1 AND sum(tax) <> amount(0))
) AS sold
GROUP BY currency
