-- One row per date from `first` to `last` on which a vendor has sales or advertising of products in
-- another currency.
SELECT DISTINCT day
FROM (
  SELECT day
  FROM vendor_day
  WHERE channel = {channel:Int32} AND currency <> {currency:String}
    AND day >= {first:Date} AND day <= {last:Date}
  UNION ALL
  SELECT day
  FROM ad_product_day
  WHERE channel = {channel:Int32} AND currency <> {currency:String}
    AND day >= {first:Date} AND day <= {last:Date}
) AS foreign_days
