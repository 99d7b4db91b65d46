-- One row per date from `first` to `last` on which a channel has facts in another currency, by the
-- rollup `{rollup}` or by the advertising of products.
SELECT DISTINCT day
FROM (
  SELECT day
  FROM {rollup}
  WHERE channel = {channel:Int32} AND currency <> {currency:String}
    AND day >= {first:Date} AND day <= {last:Date}
  UNION ALL
  SELECT day
  FROM ad_product_day
  WHERE channel = {channel:Int32} AND currency <> {currency:String}
    AND day >= {first:Date} AND day <= {last:Date}
) AS foreign_days
