-- One row per UTC day, channel and currency with events of SKUs that have no unit cost, or whose
-- first one begins less than a year before or later: the number of these SKUs, which is about the
-- number of rows of uncostedDays.sql.
WITH
  {firstCosts.sql},
  {coveredBefore.sql}
SELECT
  figures.channel AS channel, figures.day AS day, figures.currency AS currency,
  CAST(count(*) AS BIGINT) AS figures
FROM (
  SELECT channel, day, sku, currency
  FROM profit_product_day
  WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
    AND (channel, sku) NOT IN (SELECT channel, sku FROM covered)
) AS figures
LEFT JOIN costs ON costs.channel = figures.channel AND costs.sku = figures.sku
WHERE costs.since IS NULL OR costs.since > figures.day - 366
GROUP BY figures.channel, figures.day, figures.currency
