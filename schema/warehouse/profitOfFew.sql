-- One row per `answer` and currency with financial events. `figures` has few rows of them: they are
-- read once and kept as `events`, and only the unit costs of their SKUs are read.
WITH
  events AS {figures},
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
      AND sku IN (SELECT DISTINCT event_sku FROM events)
  ),
  fulfilled AS (
    SELECT sku
    FROM product
    WHERE channel = {channel:Int32} AND fulfilled_by_marketplace = 1
      AND sku IN (SELECT DISTINCT event_sku FROM events)
  ),
{profitSums.sql}
