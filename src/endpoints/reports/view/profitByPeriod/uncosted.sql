-- One row per event that decides which sales have no cost of goods, as `uncosted` of a WITH clause:
-- a sale before the first unit cost of its SKU begins, or a cost of goods that a source reports of
-- a SKU whose first unit cost begins less than a year before. The events are those of `posted`,
-- without the SKUs of `covered`, whose unit costs begin early enough to change nothing, which most
-- do: they are dropped first. `withTax` is 1 where tax counts as sales.
{firstCosts.sql},
events AS (
  SELECT
    channel, sku, line, currency, quantity,
    amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END AS amount,
    local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date
  FROM {posted} AS posted
  WHERE (line = 'sales' OR (line = 'cogs' AND amount <> amount(0)))
    AND (channel, sku) NOT IN (SELECT channel, sku FROM covered)
),
uncosted AS (
  SELECT e.channel, e.sku, e.line, e.currency, e.amount, e.quantity, e.local_date
  FROM events AS e LEFT JOIN costs AS c ON c.channel = e.channel AND c.sku = e.sku
  WHERE c.since IS NULL OR c.since > e.local_date
    OR (e.line = 'cogs' AND c.since > e.local_date - 366)
)
