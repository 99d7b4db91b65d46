-- One row per channel: the number of dates in or near the windows on which it has facts in another
-- currency, by the rollup `{rollup}` and by the advertising of products.
SELECT CAST(count(*) AS BIGINT) AS days
FROM (
  SELECT day
  FROM {rollup}
  WHERE channel = {channel:Int32} AND currency <> {currency:String} AND {nearWindows}
  UNION ALL
  SELECT day
  FROM ad_product_day
  WHERE channel = {channel:Int32} AND currency <> {currency:String} AND {nearWindows}
) AS foreign_days
