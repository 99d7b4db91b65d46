-- One row per campaign of the channels, with its sums over the range: those that were told of, and those that only figures tell of.
-- `channels` are five in the order of their identifiers, the last repeated to fill up; named one by one, blocks of others are skipped.
-- Each channel has its own first and last day; days from `innerFirst` to `innerLast` belong to all of them.
-- Amounts in `currency` are summed exactly; the others at the rate of their date, for which `factors` holds the `days` of each of
-- `currencies` one after the other. `everyStatus` and `everyCampaign` say that there is no restriction.
WITH
  figures AS (
    SELECT
      channel, campaign_id, ad_type, impressions, clicks, cost, sales, sales_same_sku, conversions, conversions_same_sku, units, units_same_sku,
      orders_ntb, units_ntb, sales_ntb, detail_page_views,
      CASE
        WHEN {converting:Int32} = 0 OR currency = {currency:String} THEN 0
        ELSE {factors:Array(Float64)}[(index_of({currencies:Array(String)}, currency) - 1) * {days:Int32} + date_diff('day', {first:Date}, day) + 1]
      END AS factor
    FROM campaign_day
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
      campaign_id,
      max(ad_type) AS ad_type,
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
      CAST(sum(units_same_sku) AS BIGINT) AS units_same_sku,
      CAST(sum(orders_ntb) AS BIGINT) AS orders_ntb,
      CAST(sum(units_ntb) AS BIGINT) AS units_ntb,
      sum(CASE WHEN {converting:Int32} = 0 OR factor = 0 THEN sales_ntb ELSE amount(0) END) AS sales_ntb,
      sum(CASE WHEN {converting:Int32} = 0 THEN 0 ELSE CAST(sales_ntb AS DOUBLE) * factor END) AS sales_ntb_converted,
      CAST(sum(detail_page_views) AS BIGINT) AS detail_page_views
    FROM figures
    GROUP BY channel, campaign_id
  ),
  told AS (
    SELECT
      channel, campaign_id, name, ad_type, status, budget_type, budget, start_date, end_date, targeting_type, bidding_strategy, cost_type
    FROM campaign
    WHERE channel IN (
        {channels:Array(Int32)}[1], {channels:Array(Int32)}[2], {channels:Array(Int32)}[3], {channels:Array(Int32)}[4], {channels:Array(Int32)}[5]
      )
  ),
  listed AS (
    SELECT
      coalesce(told.channel, sums.channel) AS channel,
      coalesce(told.campaign_id, sums.campaign_id) AS campaign_id,
      coalesce(told.ad_type, sums.ad_type) AS ad_type,
      coalesce(told.name, '') AS campaign_name,
      coalesce(told.status, '') AS campaign_status,
      coalesce(told.budget_type, '') AS budget_type,
      coalesce(told.start_date, '') AS start_date,
      coalesce(told.end_date, '') AS end_date,
      coalesce(told.targeting_type, '') AS targeting_type,
      coalesce(told.bidding_strategy, '') AS bidding_strategy,
      coalesce(told.cost_type, '') AS cost_type,
      coalesce(told.budget, amount(0)) AS budget,
      coalesce(sums.impressions, 0) AS impressions,
      coalesce(sums.clicks, 0) AS clicks,
      coalesce(sums.cost, amount(0)) AS cost,
      coalesce(sums.cost_converted, 0) AS cost_converted,
      coalesce(sums.sales, amount(0)) AS sales,
      coalesce(sums.sales_converted, 0) AS sales_converted,
      coalesce(sums.sales_same_sku, amount(0)) AS sales_same_sku,
      coalesce(sums.sales_same_sku_converted, 0) AS sales_same_sku_converted,
      coalesce(sums.conversions, 0) AS conversions,
      coalesce(sums.conversions_same_sku, 0) AS conversions_same_sku,
      coalesce(sums.units, 0) AS units,
      coalesce(sums.units_same_sku, 0) AS units_same_sku,
      coalesce(sums.orders_ntb, 0) AS orders_ntb,
      coalesce(sums.units_ntb, 0) AS units_ntb,
      coalesce(sums.sales_ntb, amount(0)) AS sales_ntb,
      coalesce(sums.sales_ntb_converted, 0) AS sales_ntb_converted,
      coalesce(sums.detail_page_views, 0) AS detail_page_views
    FROM told FULL JOIN sums ON told.channel = sums.channel AND told.campaign_id = sums.campaign_id
  )
SELECT *, CAST(count(*) OVER () AS BIGINT) AS matching
FROM listed
WHERE ({everyStatus:Int32} = 1 OR one_of(campaign_status, {statuses:Array(String)}))
  AND ({everyCampaign:Int32} = 1 OR one_of(campaign_id, {campaigns:Array(String)}))
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
