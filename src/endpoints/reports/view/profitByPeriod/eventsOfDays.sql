-- One row per event of the days from `first` to `last`, and of those beside them, which local dates
-- reach into: the part `posted` of questions.
SELECT channel, sku, line, currency, quantity, amount, tax, posted_at
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} - 1 AND day <= {last:Date} + 1
