-- One row per event of these units on the UTC days from `first` to `last`, with every column of the
-- table.
SELECT
  day, unit, number, source, transaction_id, revision, posted_at, sku, order_id, line, code, amount,
  tax, quantity, fulfillment, currency
FROM finance_event
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(unit, {keys:Array(String)})
