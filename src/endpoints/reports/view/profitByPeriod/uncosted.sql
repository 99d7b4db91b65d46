-- One row per event that decides which sales have no cost of goods, as `uncosted` of a WITH clause:
-- a sale before the first unit cost of its SKU begins, or a cost of goods that a source reports for
-- a SKU whose first unit cost begins less than a year before. `{events}` selects the events. Most
-- events are of SKUs with a unit cost on `{covered}`; they change nothing and are dropped first.
-- `withTax` is 1 if tax counts as sales.
{firstCosts},
events AS (
  SELECT
    channel, sku, line, currency, quantity,
    amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END AS amount,
    local_day(posted_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date
  FROM finance_event
  WHERE one_of(channel, {channels:Array(Int32)}) AND {events}
    AND (line = 'sales' OR (line = 'cogs' AND amount <> amount(0)))
    AND (channel, sku) NOT IN (SELECT channel, sku FROM covered)
),
uncosted AS (
  SELECT e.channel, e.sku, e.line, e.currency, e.amount, e.quantity, e.local_date
  FROM events AS e LEFT JOIN costs AS c ON c.channel = e.channel AND c.sku = e.sku
  WHERE c.since IS NULL OR c.since > e.local_date
    OR (e.line = 'cogs' AND c.since > e.local_date - 366)
)
