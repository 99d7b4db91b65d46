-- One row per `answer` and currency with financial events. There may be very many rows of them, so
-- they are read for each sum.
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
  fulfilled AS (
    SELECT sku
    FROM product
    WHERE channel = {channel:Int32} AND fulfilled_by_marketplace = 1
  ),
{profitSums.sql}
