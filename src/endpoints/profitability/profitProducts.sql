-- One row per SKU, UTC day and currency with events of the profit and loss on the days from `first` to `last`, of the SKUs asked for.
-- What is in `currency` needs no rate and is all of the day `first`.
SELECT
  sku AS product_sku,
  CASE WHEN currency = {currency:String} THEN {first:Date} ELSE day END AS local_date,
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
FROM profit_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND in_list(sku, {skus:Array(String)})
GROUP BY sku, CASE WHEN currency = {currency:String} THEN {first:Date} ELSE day END, currency
