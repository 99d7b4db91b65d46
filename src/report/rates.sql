-- One row per currency and date with an exchange rate from `first` to `last`; the euro has none. Of
-- a published and an own rate the own one counts, whose source is the greater text.
-- Rates belong to no channel of a customer, so they are asked of channel 0.
SELECT currency, day, argMax(per_euro, source) AS per_euro
FROM exchange_rate
WHERE channel = {channel:Int32} AND one_of(currency, {currencies:Array(String)})
  AND day >= {first:Date} AND day <= {last:Date}
GROUP BY currency, day
ORDER BY currency, day
