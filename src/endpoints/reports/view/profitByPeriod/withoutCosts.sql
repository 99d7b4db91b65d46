-- One row per bucket with sales that have no cost of goods: their sum, and the number of their
-- SKUs. `buckets` holds the number of the bucket of each date from `first` on. Without a cost are
-- the sales of a SKU before its first unit cost begins, unless an event reports a cost of goods of
-- the SKU in the same bucket. Sales without a SKU have none. `withTax` is 1 where tax counts as
-- sales. Most SKUs have a cost from `first` on, and their events are dropped first.
WITH
  costs AS (
    SELECT channel, sku, min(effective_from) AS since
    FROM unit_cost
    WHERE one_of(channel, {channels:Array(Int32)})
    GROUP BY channel, sku
  ),
  covered AS (
    SELECT channel, sku
    FROM unit_cost
    WHERE one_of(channel, {channels:Array(Int32)}) AND effective_from <= {first:Date}
  ),
  events AS (
    SELECT
      channel, sku, line, currency, quantity,
      amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END AS amount,
      local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date
    FROM finance_event
    WHERE one_of(channel, {channels:Array(Int32)})
      AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
      AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
      AND (line = 'sales' OR (line = 'cogs' AND amount <> amount(0)))
      AND (channel, sku) NOT IN (SELECT channel, sku FROM covered)
  ),
  uncosted AS (
    SELECT
      {buckets:Array(Int32)}[date_diff('day', {first:Date}, e.local_date) + 1] AS bucket,
      e.channel, e.sku, e.line, e.currency, e.amount, e.quantity, e.local_date
    FROM events AS e LEFT JOIN costs AS c ON c.channel = e.channel AND c.sku = e.sku
    WHERE c.since IS NULL OR c.since > e.local_date OR e.line = 'cogs'
  ),
  products AS (
    SELECT
      bucket, channel, sku,
      max(CASE WHEN line = 'cogs' AND sku <> '' THEN 1 ELSE 0 END) AS is_reported,
      sum(CASE WHEN line = 'sales' THEN quantity ELSE 0 END) AS units,
      sum(CASE WHEN line = 'sales' THEN unconverted(amount, currency) ELSE amount(0) END) AS sales,
      sum(CASE WHEN line = 'sales' THEN converted(amount, currency, local_date) ELSE 0 END)
        AS sales_converted
    FROM uncosted
    GROUP BY bucket, channel, sku
  )
SELECT
  bucket,
  sum(sales) AS sales,
  CAST(sum(sales_converted) AS DOUBLE) AS sales_converted,
  CAST(sum(
    CASE WHEN sku <> '' AND (units <> 0 OR sales <> 0 OR sales_converted <> 0) THEN 1 ELSE 0 END
  ) AS BIGINT) AS products
FROM products
WHERE is_reported = 0
GROUP BY bucket
