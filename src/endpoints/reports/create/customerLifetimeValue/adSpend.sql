-- One row per date and currency on which campaigns of the channel have spent.
SELECT day, currency, ad_cost
FROM store_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND ad_cost <> amount(0)
