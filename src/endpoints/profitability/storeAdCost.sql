-- One row per date from `first` to `last` and currency with reported advertising cost. No rows for
-- a channel that ever had an ad charge posted.
SELECT day AS local_date, currency, ad_cost
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND ad_cost <> amount(0)
  AND NOT EXISTS (
    SELECT 1 AS posted
    FROM profit_slot
    WHERE channel = {channel:Int32} AND advertising <> amount(0)
    LIMIT 1
  )
