-- One row per channel, day and currency other than `currency` that figures of `table` have.
SELECT DISTINCT channel, day, currency
FROM {table} AS figure
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND currency <> {currency:String}
