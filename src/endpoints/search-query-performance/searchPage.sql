-- One row per product of a page: of the products that have figures from `first` to `last` (current) or from `priorFirst` to `priorLast`, those
-- of `asins`, where `everyAsin` is 0; of these the `most` with the most current impressions; sorted by what is told of the current window.
-- Amounts in `currency` are summed exactly; the others at the factor of their month, for which `factors` holds the `months` of each of
-- `currencies` one after the other.
WITH
  months AS (
    SELECT
      asin, search_query_volume, total_impressions, impressions, total_clicks, clicks, total_cart_adds, cart_adds, total_purchases, purchases,
      revenue, total_revenue,
      CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN 1 ELSE 0 END AS is_current,
      CASE
        WHEN currency = {currency:String} OR (revenue = amount(0) AND total_revenue = amount(0)) THEN 0
        ELSE {factors:Array(Float64)}[
          (place_in({currencies:Array(String)}, currency) - 1) * {monthCount:Int32} + place_in({months:Array(Date)}, day)
        ]
      END AS factor
    FROM search_month
    WHERE channel = {channel:Int32}
      AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
      AND ({everyAsin:Int32} = 1 OR one_of(asin, {asins:Array(String)}))
  ),
  sums AS (
    SELECT
      asin,
      CAST(sum(is_current * search_query_volume) AS BIGINT) AS search_query_volume,
      CAST(sum(is_current * total_impressions) AS BIGINT) AS total_impressions,
      CAST(sum(is_current * impressions) AS BIGINT) AS impressions,
      CAST(sum(is_current * total_clicks) AS BIGINT) AS total_clicks,
      CAST(sum(is_current * clicks) AS BIGINT) AS clicks,
      CAST(sum(is_current * total_cart_adds) AS BIGINT) AS total_cart_adds,
      CAST(sum(is_current * cart_adds) AS BIGINT) AS cart_adds,
      CAST(sum(is_current * total_purchases) AS BIGINT) AS total_purchases,
      CAST(sum(is_current * purchases) AS BIGINT) AS purchases,
      sum(CASE WHEN is_current = 1 AND factor = 0 THEN revenue ELSE amount(0) END) AS revenue,
      sum(CAST(revenue AS DOUBLE) * is_current * factor) AS revenue_converted,
      sum(CASE WHEN is_current = 1 AND factor = 0 THEN total_revenue ELSE amount(0) END) AS total_revenue,
      sum(CAST(total_revenue AS DOUBLE) * is_current * factor) AS total_revenue_converted
    FROM months
    GROUP BY asin
  ),
  chosen AS (
    SELECT * FROM sums ORDER BY impressions DESC, asin LIMIT {most:Int32}
  )
SELECT asin, CAST(count(*) OVER () AS BIGINT) AS matching
FROM chosen
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
