-- One row per held event of the units asked for, with every column of the table, on the UTC days from `first` to `last`.
SELECT
  day, unit, number, source, transaction_id, standing, posted_at, sku, order_id, line, code, amount, tax, quantity, fulfillment, currency
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND in_list(unit, {keys:Array(String)})
