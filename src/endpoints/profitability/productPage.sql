-- One row per SKU of a page, sorted by sales as shown: the requested SKUs with an event in the
-- range or, in a channel for which no ad charge of a SKU was ever posted, with advertising cost.
-- Cost with only a product id belongs to the SKU of the catalogue with this id, if exactly one has
-- it. The UTC days from `firstWhole` to `lastWhole` lie wholly in the range; `firstUtc` and
-- `lastUtc` may lie in it partly. `withTax` is 1 if tax counts as sales.
WITH
  owners AS ({../../report/productOwners.sql}),
  advertised AS (
    SELECT CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END AS ad_sku, day, currency
    FROM ad_product_day LEFT JOIN owners ON owned_product = product_id
    WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
      AND cost <> amount(0)
      AND NOT EXISTS (
        SELECT 1 AS posted
        FROM profit_product_day
        WHERE channel = {channel:Int32} AND advertising <> amount(0)
        LIMIT 1
      )
  ),
  sold AS (
    SELECT
      sku, day, currency,
      sales + CASE WHEN {withTax:Int32} = 1 THEN sales_tax ELSE amount(0) END AS sales
    FROM profit_product_day
    WHERE channel = {channel:Int32} AND day >= {firstWhole:Date} AND day <= {lastWhole:Date}
    UNION ALL
    SELECT
      sku, day, currency,
      CASE
        WHEN line = 'sales'
        THEN amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END
        ELSE amount(0)
      END
    FROM finance_event
    WHERE channel = {channel:Int32} AND day IN ({firstUtc:Date}, {lastUtc:Date})
      AND (day < {firstWhole:Date} OR day > {lastWhole:Date})
      AND posted_at >= {from:Int64} AND posted_at <= {to:Int64} AND sku <> ''
    UNION ALL
    SELECT ad_sku, day, currency, amount(0)
    FROM advertised
    WHERE ad_sku <> ''
  ),
  sums AS (
    SELECT
      sku,
      sum(unconverted(sales, currency)) AS sales,
      coalesce(sum_converted(sales, currency, day), 0) AS sales_converted
    FROM sold
    WHERE matches(sku, {skus:Array(String)})
    GROUP BY sku
  )
SELECT sku, CAST(count(*) OVER () AS BIGINT) AS matching
FROM sums
ORDER BY
  round_half_up(CAST(sales AS DOUBLE) + sales_converted, {amountScale:Float64}) DESC,
  sku
LIMIT {limit:Int32} OFFSET {offset:Int64}
