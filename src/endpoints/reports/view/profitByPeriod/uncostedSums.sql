-- One row per group of events of `uncosted`: the sales without a unit cost, and the number of
-- events that report a cost of goods of the SKU. The begin of uncostedDays.sql and
-- uncostedInRange.sql.
SELECT
  channel, local_date AS day, sku AS id, currency,
  CAST(sum(CASE WHEN line = 'sales' THEN quantity ELSE 0 END) AS BIGINT) AS units,
  sum(CASE WHEN line = 'sales' THEN amount ELSE amount(0) END) AS sales,
  CAST(sum(CASE WHEN line = 'cogs' AND sku <> '' THEN 1 ELSE 0 END) AS BIGINT) AS reports
FROM uncosted
