-- One row per local day of the channel and currency with facts. Order lines count on the local day
-- of their purchase; canceled lines add nothing, but their row remains. Traffic and advertising
-- carry the marketplace's date. Where the marketplace reports the traffic of the whole store on a
-- day, the rows of its products are not added. Traffic that several SKUs of one product repeat
-- counts once.
WITH
  totals AS (
    SELECT DISTINCT day
    FROM traffic_total
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  ),
  traffic_rows AS (
    SELECT
      day, currency, page_views, sessions, buy_box_weighted, buy_box_views, revenue, units,
      order_items
    FROM traffic_total
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
    UNION ALL
    SELECT
      day, currency,
      CASE WHEN repeats_traffic = 0 THEN page_views ELSE 0 END,
      CASE WHEN repeats_traffic = 0 THEN sessions ELSE 0 END,
      CASE WHEN repeats_traffic = 0 THEN buy_box_weighted ELSE amount(0) END,
      CASE WHEN repeats_traffic = 0 THEN buy_box_views ELSE 0 END,
      revenue, units, order_items
    FROM traffic
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
      AND day NOT IN (SELECT day FROM totals)
  ),
  parts AS (
    SELECT
      local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
      currency,
      CASE WHEN status <> 'Canceled' THEN 1 ELSE 0 END AS line_items,
      CASE WHEN status <> 'Canceled' THEN quantity ELSE 0 END AS units,
      CASE WHEN status <> 'Canceled' THEN item_price ELSE amount(0) END AS item_price,
      CASE WHEN status <> 'Canceled' THEN item_tax ELSE amount(0) END AS item_tax,
      0 AS page_views, 0 AS sessions, amount(0) AS buy_box_weighted, 0 AS buy_box_views,
      amount(0) AS traffic_revenue, 0 AS traffic_units, 0 AS traffic_order_items, 0 AS daily_rows,
      0 AS impressions, 0 AS clicks, amount(0) AS ad_cost, amount(0) AS ad_sales
    FROM order_line
    WHERE channel = {channel:Int32} AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
    UNION ALL
    SELECT
      day, currency,
      0, 0, amount(0), amount(0),
      page_views, sessions, buy_box_weighted, buy_box_views, revenue, units, order_items, 1,
      0, 0, amount(0), amount(0)
    FROM traffic_rows
    UNION ALL
    SELECT
      day, currency,
      0, 0, amount(0), amount(0),
      0, 0, amount(0), 0, amount(0), 0, 0, 1,
      impressions, clicks, cost, sales
    FROM campaign_day
    WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  )
SELECT
  day,
  currency,
  CASE WHEN day >= {ordersFrom:Date} THEN 1 ELSE 0 END AS orders_cover,
  CAST(sum(line_items) AS BIGINT) AS line_items,
  CAST(sum(units) AS BIGINT) AS units,
  sum(item_price) AS item_price,
  sum(item_tax) AS item_tax,
  CAST(sum(page_views) AS BIGINT) AS page_views,
  CAST(sum(sessions) AS BIGINT) AS sessions,
  sum(buy_box_weighted) AS buy_box_weighted,
  CAST(sum(buy_box_views) AS BIGINT) AS buy_box_views,
  sum(traffic_revenue) AS traffic_revenue,
  CAST(sum(traffic_units) AS BIGINT) AS traffic_units,
  CAST(sum(traffic_order_items) AS BIGINT) AS traffic_order_items,
  CAST(sum(daily_rows) AS BIGINT) AS daily_rows,
  CAST(sum(impressions) AS BIGINT) AS impressions,
  CAST(sum(clicks) AS BIGINT) AS clicks,
  sum(ad_cost) AS ad_cost,
  sum(ad_sales) AS ad_sales
FROM parts
WHERE day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})
GROUP BY day, currency
