-- One row per channel, date and currency with figures of campaigns.
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
  CAST(sum(orders_ntb) AS BIGINT) AS orders_ntb,
  CAST(sum(units_ntb) AS BIGINT) AS units_ntb,
  sum(sales_ntb) AS sales_ntb
FROM campaign_day
WHERE channel >= {leastChannel:Int32} AND channel <= {mostChannel:Int32} AND one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day, currency
