-- One row per quarter of an hour and currency with events of the profit and loss, on the UTC days asked for: every one from `first` to `last`,
-- or those of `days` among them.
-- Amounts are signed as events are: credits positive, debits negative. What only moves money (line `balance`) counts nothing, but leaves its row.
-- Units sold cost what the last unit cost on or before the UTC day says, in the currency of that cost; units that the seller shipped also
-- their shipping cost. Costs of goods that a source tells itself count where no unit cost does.
WITH
  costs AS (
    SELECT
      sku,
      effective_from,
      lead(effective_from, 1, {never:Date}) OVER (PARTITION BY sku ORDER BY effective_from) AS effective_until,
      cogs,
      cogs_currency,
      shipping_cost,
      shipping_cost_currency
    FROM unit_cost
    WHERE channel = {channel:Int32}
  ),
  events AS (
    SELECT
      day,
      floor_multiple(posted_at, 900) AS slot_at,
      sku AS sold_sku, line, amount, tax, quantity, fulfillment, currency
    FROM finance_event
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})
  ),
  costed AS (
    SELECT e.day, e.slot_at, e.sold_sku, e.line, e.quantity, e.fulfillment, c.cogs, c.cogs_currency, c.shipping_cost, c.shipping_cost_currency
    FROM events AS e JOIN costs AS c ON c.sku = e.sold_sku AND e.day >= c.effective_from AND e.day < c.effective_until
    WHERE e.line IN ('sales', 'refunds') AND e.quantity <> 0
  ),
  parts AS (
    SELECT day, slot_at, currency, line AS figure, amount FROM events WHERE line <> 'cogs'
    UNION ALL
    SELECT day, slot_at, currency, CASE WHEN line = 'sales' THEN 'salesTax' ELSE 'refundsTax' END, tax
    FROM events
    WHERE line IN ('sales', 'refunds') AND tax <> 0
    UNION ALL
    SELECT
      day, slot_at, cogs_currency,
      CASE WHEN line = 'sales' THEN 'cogs' ELSE 'cogsReturned' END,
      CAST(CASE WHEN line = 'sales' THEN -quantity ELSE quantity END AS DECIMAL(38,0)) * cogs
    FROM costed
    UNION ALL
    SELECT day, slot_at, shipping_cost_currency, 'shippingFees', CAST(-quantity AS DECIMAL(38,0)) * shipping_cost
    FROM costed
    WHERE line = 'sales' AND shipping_cost <> 0 AND (
      fulfillment = 'MFN'
      OR (fulfillment = '' AND sold_sku NOT IN (SELECT sku FROM product WHERE channel = {channel:Int32} AND fulfilled_by_marketplace = 1))
    )
    UNION ALL
    SELECT e.day, e.slot_at, e.currency, 'cogs', e.amount
    FROM events AS e LEFT JOIN costs AS c ON c.sku = e.sold_sku AND e.day >= c.effective_from AND e.day < c.effective_until
    WHERE e.line = 'cogs' AND c.sku IS NULL
  )
SELECT
  day, slot_at, currency,
  sum(CASE WHEN figure = 'sales' THEN amount ELSE amount(0) END) AS sales,
  sum(CASE WHEN figure = 'salesTax' THEN amount ELSE amount(0) END) AS sales_tax,
  sum(CASE WHEN figure = 'promotions' THEN amount ELSE amount(0) END) AS promotions,
  sum(CASE WHEN figure = 'refunds' THEN amount ELSE amount(0) END) AS refunds,
  sum(CASE WHEN figure = 'refundsTax' THEN amount ELSE amount(0) END) AS refunds_tax,
  sum(CASE WHEN figure = 'reimbursements' THEN amount ELSE amount(0) END) AS reimbursements,
  sum(CASE WHEN figure = 'otherIncome' THEN amount ELSE amount(0) END) AS other_income,
  sum(CASE WHEN figure = 'advertisingSpend' THEN amount ELSE amount(0) END) AS advertising,
  sum(CASE WHEN figure = 'sellingFees' THEN amount ELSE amount(0) END) AS selling_fees,
  sum(CASE WHEN figure = 'shippingFees' THEN amount ELSE amount(0) END) AS shipping_fees,
  sum(CASE WHEN figure = 'refundsAndReturnsOverheads' THEN amount ELSE amount(0) END) AS overheads,
  sum(CASE WHEN figure = 'otherExpenses' THEN amount ELSE amount(0) END) AS other_expenses,
  sum(CASE WHEN figure = 'cogs' THEN amount ELSE amount(0) END) AS cogs,
  sum(CASE WHEN figure = 'cogsReturned' THEN amount ELSE amount(0) END) AS cogs_returned
FROM parts
GROUP BY day, slot_at, currency
