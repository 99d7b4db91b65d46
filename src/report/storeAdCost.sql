-- One row per channel, date from `first` to `last` and currency with reported advertising cost. No
-- rows for a channel that has ever had an ad charge posted.
SELECT channel, day, day AS local_date, currency, ad_cost
FROM store_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND ad_cost <> amount(0)
  AND channel NOT IN (
    SELECT channel
    FROM profit_slot
    WHERE one_of(channel, {channels:Array(Int32)}) AND advertising <> amount(0)
  )
