-- One row per product of the channels that has figures in the range, with its sums: by the platform's product id, by the SKU where there is none.
-- `channels` are five in the order of their identifiers, the last repeated to fill up; named one by one, blocks of others are skipped.
-- Each channel has its own first and last day; days from `innerFirst` to `innerLast` belong to all of them.
-- Amounts in `currency` are summed exactly; the others at the rate of their date, for which `factors` holds the `days` of each of
-- `currencies` one after the other. `everyProduct` says that there is no restriction.
WITH
  figures AS (
    SELECT
      channel,
      CASE WHEN product_id = '' THEN sku ELSE product_id END AS product_sku,
      impressions, clicks, cost, sales, sales_same_sku, conversions, conversions_same_sku, units, units_same_sku,
      CASE
        WHEN {converting:Int32} = 0 OR currency = {currency:String} THEN 0
        ELSE {factors:Array(Float64)}[(index_of({currencies:Array(String)}, currency) - 1) * {days:Int32} + date_diff('day', {first:Date}, day) + 1]
      END AS factor
    FROM ad_product_day
    WHERE channel IN (
        {channels:Array(Int32)}[1], {channels:Array(Int32)}[2], {channels:Array(Int32)}[3], {channels:Array(Int32)}[4], {channels:Array(Int32)}[5]
      )
      AND day >= {first:Date} AND day <= {last:Date}
      AND (
        (day >= {innerFirst:Date} AND day <= {innerLast:Date})
        OR (
          day >= {firsts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
          AND day <= {lasts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
        )
      )
  ),
  sums AS (
    SELECT
      channel,
      product_sku,
      CAST(sum(impressions) AS BIGINT) AS impressions,
      CAST(sum(clicks) AS BIGINT) AS clicks,
      sum(CASE WHEN {converting:Int32} = 0 OR factor = 0 THEN cost ELSE amount(0) END) AS cost,
      sum(CASE WHEN {converting:Int32} = 0 THEN 0 ELSE CAST(cost AS DOUBLE) * factor END) AS cost_converted,
      sum(CASE WHEN {converting:Int32} = 0 OR factor = 0 THEN sales ELSE amount(0) END) AS sales,
      sum(CASE WHEN {converting:Int32} = 0 THEN 0 ELSE CAST(sales AS DOUBLE) * factor END) AS sales_converted,
      sum(CASE WHEN {converting:Int32} = 0 OR factor = 0 THEN sales_same_sku ELSE amount(0) END) AS sales_same_sku,
      sum(CASE WHEN {converting:Int32} = 0 THEN 0 ELSE CAST(sales_same_sku AS DOUBLE) * factor END) AS sales_same_sku_converted,
      CAST(sum(conversions) AS BIGINT) AS conversions,
      CAST(sum(conversions_same_sku) AS BIGINT) AS conversions_same_sku,
      CAST(sum(units) AS BIGINT) AS units,
      CAST(sum(units_same_sku) AS BIGINT) AS units_same_sku
    FROM figures
    WHERE {everyProduct:Int32} = 1 OR one_of(product_sku, {products:Array(String)})
    GROUP BY channel, product_sku
  )
SELECT *, CAST(count(*) OVER () AS BIGINT) AS matching
FROM sums
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
