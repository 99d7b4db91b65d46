-- One row per `grain` and currency with financial events. `profit.ts` fills the places: `grain` is
-- a list of columns, `date` the one whose date says which unit costs hold, `events` a condition.
-- Credits are positive, debits negative. An event that only moves money (line `balance`) or whose
-- cost of goods a unit cost replaces adds nothing, but leaves its row. A unit sold costs the last
-- unit cost that began on or before the date, in the currency of that cost, and its shipping cost
-- where the seller shipped it. The costs of goods that a source reports count where there is no
-- unit cost.
WITH
  costs AS (
    SELECT
      sku,
      effective_from,
      lead(effective_from, 1, {never:Date}) OVER (PARTITION BY sku ORDER BY effective_from)
        AS effective_until,
      cogs,
      cogs_currency,
      shipping_cost,
      shipping_cost_currency
    FROM unit_cost
    WHERE channel = {channel:Int32}
  ),
  events AS (
    SELECT
      {columns},
      sku AS event_sku, line, amount, tax, quantity, fulfillment, currency
    FROM finance_event
    WHERE channel = {channel:Int32} AND {events}
  ),
  costed AS (
    SELECT
      {e.grain}, e.event_sku, e.line, e.quantity, e.fulfillment,
      c.cogs, c.cogs_currency, c.shipping_cost, c.shipping_cost_currency
    FROM events AS e JOIN costs AS c
      ON c.sku = e.event_sku AND e.{date} >= c.effective_from AND e.{date} < c.effective_until
    WHERE e.line IN ('sales', 'refunds') AND e.quantity <> 0
  ),
  parts AS (
    SELECT {grain}, currency, CASE WHEN line = 'cogs' THEN '' ELSE line END AS figure, amount
    FROM events
    UNION ALL
    SELECT {grain}, currency, CASE WHEN line = 'sales' THEN 'salesTax' ELSE 'refundsTax' END, tax
    FROM events
    WHERE line IN ('sales', 'refunds') AND tax <> 0
    UNION ALL
    SELECT
      {grain}, cogs_currency,
      CASE WHEN line = 'sales' THEN 'cogs' ELSE 'cogsReturned' END,
      CAST(CASE WHEN line = 'sales' THEN -quantity ELSE quantity END AS DECIMAL(38,0)) * cogs
    FROM costed
    UNION ALL
    SELECT
      {grain}, shipping_cost_currency, 'shippingFees',
      CAST(-quantity AS DECIMAL(38,0)) * shipping_cost
    FROM costed
    WHERE line = 'sales' AND shipping_cost <> 0 AND (
      fulfillment = 'MFN'
      OR (fulfillment = '' AND event_sku NOT IN (
        SELECT sku FROM product WHERE channel = {channel:Int32} AND fulfilled_by_marketplace = 1
      ))
    )
    UNION ALL
    SELECT {e.grain}, e.currency, 'cogs', e.amount
    FROM events AS e LEFT JOIN costs AS c
      ON c.sku = e.event_sku AND e.{date} >= c.effective_from AND e.{date} < c.effective_until
    WHERE e.line = 'cogs' AND c.sku IS NULL
  )
SELECT {grain}, currency, {figures}
FROM parts
GROUP BY {grain}, currency
