-- One row per bucket with sales that have no cost of goods: their sum, and the number of their
-- SKUs. `buckets` holds the number of the bucket of each date from `first` on. uncosted.sql finds
-- the sales without a unit cost; they have a cost of goods if an event reports one of the SKU in
-- the same bucket. Sales without a SKU have none.
WITH
  covered AS (
    SELECT channel, sku
    FROM unit_cost
    WHERE one_of(channel, {channels:Array(Int32)}) AND effective_from <= {first:Date}
  ),
  {uncosted.sql},
  products AS (
    SELECT
      {buckets:Array(Int32)}[date_diff('day', {first:Date}, local_date) + 1] AS bucket,
      channel, sku,
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
