-- One row per currency and date with a reference rate from `first` to `last`, with the import that
-- brought it. Rates belong to no channel of a customer, so they are asked of channel 0.
SELECT currency, day, per_euro, import_id
FROM exchange_rate
WHERE channel = {channel:Int32} AND one_of(currency, {currencies:Array(String)})
  AND day >= {first:Date} AND day <= {last:Date}
ORDER BY currency, day
