-- One row per financial event of a SKU on the days from `first` to `last`, or on those of `days`.
SELECT
  day, day AS cost_day,
  sku, currency, line, source, amount, tax, quantity, fulfillment
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches(day, {days:Array(Date)}) AND sku <> ''
