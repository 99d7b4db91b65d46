-- One row per local day and currency with events of the profit and loss in the whole quarters of an hour from `from` to `to`, but for those of
-- the UTC days in `apart`. What is in `currency` needs no rate and is all of the day `first`.
SELECT
  CASE WHEN currency = {currency:String} THEN {first:Date} ELSE local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) END AS local_date,
  currency,
  sum(sales) AS sales,
  sum(sales_tax) AS sales_tax,
  sum(promotions) AS promotions,
  sum(refunds) AS refunds,
  sum(refunds_tax) AS refunds_tax,
  sum(reimbursements) AS reimbursements,
  sum(other_income) AS other_income,
  sum(advertising) AS advertising,
  sum(selling_fees) AS selling_fees,
  sum(shipping_fees) AS shipping_fees,
  sum(overheads) AS overheads,
  sum(other_expenses) AS other_expenses,
  sum(cogs) AS cogs,
  sum(cogs_returned) AS cogs_returned
FROM profit_slot
WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date} AND slot_at >= {from:Int64} AND slot_at <= {to:Int64}
  AND NOT one_of(day, {apart:Array(Date)})
GROUP BY
  CASE WHEN currency = {currency:String} THEN {first:Date} ELSE local_day(slot_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) END,
  currency
