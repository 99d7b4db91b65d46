-- One row per SKU of a page: of those asked for, the ones with an event in the range or, in a channel that never had an ad charge of a SKU
-- posted, with reported cost of advertising; by sales as they are shown.
-- UTC days from `firstWhole` to `lastWhole` are in the range as a whole; `firstUtc` and `lastUtc` may be in it in part. `everySku` says that
-- there is no restriction, `withTax` whether tax counts.
-- Sales in `currency` are summed exactly; those in `currencies` at the rate of their date, for which `factors` holds the `days` of each
-- of them from `first` on, one after the other.
WITH
  sold AS (
    SELECT sku, day, currency, sales + CASE WHEN {withTax:Int32} = 1 THEN sales_tax ELSE amount(0) END AS sales
    FROM profit_product_day
    WHERE channel = {channel:Int32} AND day >= {firstWhole:Date} AND day <= {lastWhole:Date}
    UNION ALL
    SELECT
      sku, day, currency,
      CASE WHEN line = 'sales' THEN amount + CASE WHEN {withTax:Int32} = 1 THEN tax ELSE amount(0) END ELSE amount(0) END
    FROM finance_event
    WHERE channel = {channel:Int32} AND day IN ({firstUtc:Date}, {lastUtc:Date}) AND (day < {firstWhole:Date} OR day > {lastWhole:Date})
      AND posted_at >= {from:Int64} AND posted_at <= {to:Int64} AND sku <> ''
    UNION ALL
    SELECT sku, day, currency, amount(0)
    FROM ad_product_day
    WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date} AND sku <> '' AND cost <> amount(0)
      AND NOT EXISTS (SELECT 1 AS posted FROM profit_product_day WHERE channel = {channel:Int32} AND advertising <> amount(0) LIMIT 1)
  ),
  sums AS (
    SELECT
      sku,
      sum(CASE WHEN currency = {currency:String} THEN sales ELSE amount(0) END) AS sales,
      sum(
        CASE
          WHEN {converting:Int32} = 0 OR currency = {currency:String} OR sales = amount(0) THEN 0
          ELSE CAST(sales AS DOUBLE)
            * {factors:Array(Float64)}[(index_of({currencies:Array(String)}, currency) - 1) * {days:Int32} + date_diff('day', {first:Date}, day) + 1]
        END
      ) AS converted
    FROM sold
    WHERE {everySku:Int32} = 1 OR one_of(sku, {skus:Array(String)})
    GROUP BY sku
  )
SELECT sku, CAST(count(*) OVER () AS BIGINT) AS matching
FROM sums
ORDER BY round_half_up(CAST(sales AS DOUBLE) + converted, {amountScale:Float64}) DESC, sku
LIMIT {limit:Int32} OFFSET {offset:Int64}
