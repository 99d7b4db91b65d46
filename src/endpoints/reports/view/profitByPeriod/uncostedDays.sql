-- One row per local date from `first` to `last`, channel, SKU and currency with events that
-- uncosted.sql finds: their sums.
WITH
  {coveredBefore.sql},
  {uncosted.sql}
{uncostedSums.sql}
WHERE local_date >= {first:Date} AND local_date <= {last:Date}
GROUP BY channel, local_date, sku, currency
