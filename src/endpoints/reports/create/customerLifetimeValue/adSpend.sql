-- One row per date from `first` to `last` and currency with advertising cost.
SELECT day, currency, ad_cost
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND ad_cost <> amount(0)
