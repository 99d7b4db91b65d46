-- One row per local date, channel, SKU and currency with events from `from` to `to` that
-- uncosted.sql finds: their sums. At most `limit`.
WITH
  {coveredBefore.sql},
  {uncosted.sql}
{uncostedSums.sql}
GROUP BY channel, local_date, sku, currency
LIMIT {limit:Int32}
