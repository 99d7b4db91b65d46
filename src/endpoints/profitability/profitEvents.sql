-- One row per local day, currency and, where `bySku` is 1, SKU with events of the profit and loss posted from `from` to `to`, both inclusive; of
-- the SKUs asked for where `everySku` is 0, and of the UTC days in `days` where `everyDay` is 0. By SKU, events without one are left out.
-- `days` are eight, the last repeated to fill up; named one by one, blocks of others are skipped.
-- Amounts are signed as events are: credits positive, debits negative. What only moves money (line `balance`) counts nothing, but leaves its row.
-- Units sold cost what the last unit cost on or before the local day says, in the currency of that cost; units that the seller shipped also
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
      local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date,
      CASE WHEN {bySku:Int32} = 1 THEN sku ELSE '' END AS product_sku,
      sku AS sold_sku, line, amount, tax, quantity, fulfillment, currency
    FROM finance_event
    WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date} AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
      AND (
        {everyDay:Int32} = 1
        OR day IN (
          {days:Array(Date)}[1], {days:Array(Date)}[2], {days:Array(Date)}[3], {days:Array(Date)}[4],
          {days:Array(Date)}[5], {days:Array(Date)}[6], {days:Array(Date)}[7], {days:Array(Date)}[8]
        )
      )
      AND ({bySku:Int32} = 0 OR sku <> '') AND ({everySku:Int32} = 1 OR one_of(sku, {skus:Array(String)}))
  ),
  costed AS (
    SELECT e.local_date, e.product_sku, e.sold_sku, e.line, e.quantity, e.fulfillment, c.cogs, c.cogs_currency, c.shipping_cost, c.shipping_cost_currency
    FROM events AS e JOIN costs AS c ON c.sku = e.sold_sku AND e.local_date >= c.effective_from AND e.local_date < c.effective_until
    WHERE e.line IN ('sales', 'refunds') AND e.quantity <> 0
  ),
  parts AS (
    SELECT local_date, product_sku, currency, line AS figure, amount FROM events WHERE line <> 'cogs'
    UNION ALL
    SELECT local_date, product_sku, currency, CASE WHEN line = 'sales' THEN 'salesTax' ELSE 'refundsTax' END, tax
    FROM events
    WHERE line IN ('sales', 'refunds') AND tax <> 0
    UNION ALL
    SELECT
      local_date, product_sku, cogs_currency,
      CASE WHEN line = 'sales' THEN 'cogs' ELSE 'cogsReturned' END,
      CAST(CASE WHEN line = 'sales' THEN -quantity ELSE quantity END AS DECIMAL(38,0)) * cogs
    FROM costed
    UNION ALL
    SELECT local_date, product_sku, shipping_cost_currency, 'shippingFees', CAST(-quantity AS DECIMAL(38,0)) * shipping_cost
    FROM costed
    WHERE line = 'sales' AND shipping_cost <> 0 AND (
      fulfillment = 'MFN'
      OR (fulfillment = '' AND sold_sku NOT IN (SELECT sku FROM product WHERE channel = {channel:Int32} AND fulfilled_by_marketplace = 1))
    )
    UNION ALL
    SELECT e.local_date, e.product_sku, e.currency, 'cogs', e.amount
    FROM events AS e LEFT JOIN costs AS c ON c.sku = e.sold_sku AND e.local_date >= c.effective_from AND e.local_date < c.effective_until
    WHERE e.line = 'cogs' AND c.sku IS NULL
  )
SELECT
  local_date, product_sku, currency,
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
GROUP BY local_date, product_sku, currency
