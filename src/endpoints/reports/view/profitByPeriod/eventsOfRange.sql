-- One row per event from `from` to `to`: the part `posted` of questions.
SELECT channel, sku, line, currency, quantity, amount, tax, posted_at
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
