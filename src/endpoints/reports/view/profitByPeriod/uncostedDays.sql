-- One row per local date, channel, SKU and currency with events that `{uncosted}` finds: the sales
-- without a unit cost, and the number of events that report a cost of goods of the SKU. At most
-- `{limit}`.
WITH
  {uncosted}
SELECT
  channel, local_date AS day, sku AS id, currency,
  CAST(sum(CASE WHEN line = 'sales' THEN quantity ELSE 0 END) AS BIGINT) AS units,
  sum(CASE WHEN line = 'sales' THEN amount ELSE amount(0) END) AS sales,
  CAST(sum(CASE WHEN line = 'cogs' AND sku <> '' THEN 1 ELSE 0 END) AS BIGINT) AS reports
FROM uncosted
WHERE {dates}
GROUP BY channel, local_date, sku, currency
{limit}
