-- One row per channel, day and currency of the figures in table `{figures}`, but for `currency`.
SELECT DISTINCT channel, day, currency
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
  AND currency <> {currency:String}
