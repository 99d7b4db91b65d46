-- One row per currency and date with an exchange rate from `first` to `last`; the euro has none.
-- The operator's own rate counts before a published one, as its source is the greater text. Rates
-- belong to no customer's channel, so their channel is 0.
SELECT currency, day, argMax(per_euro, source) AS per_euro
FROM exchange_rate
WHERE channel = {channel:Int32} AND one_of(currency, {currencies:Array(String)})
  AND day >= {first:Date} AND day <= {last:Date}
GROUP BY currency, day
ORDER BY currency, day
