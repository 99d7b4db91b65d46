-- One row per channel, date and currency with figures of campaigns. Sponsored Products tell nothing of customers new to the brand.
SELECT
  channel,
  day,
  currency,
  CAST(sum(impressions) AS BIGINT) AS impressions,
  CAST(sum(clicks) AS BIGINT) AS clicks,
  sum(cost) AS cost,
  sum(sales) AS sales,
  CAST(sum(conversions) AS BIGINT) AS conversions,
  CAST(sum(units) AS BIGINT) AS units,
  CAST(sum(units_same_sku) AS BIGINT) AS units_same_sku,
  CAST(sum(CASE WHEN ad_type = 'SP' THEN 0 ELSE orders_ntb END) AS BIGINT) AS orders_ntb,
  CAST(sum(CASE WHEN ad_type = 'SP' THEN 0 ELSE units_ntb END) AS BIGINT) AS units_ntb,
  sum(CASE WHEN ad_type = 'SP' THEN amount(0) ELSE sales_ntb END) AS sales_ntb
FROM campaign_day
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, currency
