-- One row per product of a page: the products with figures from `first` to `last` (the current
-- period) or from `priorFirst` to `priorLast`, of `asins` where it is not empty; of these the
-- `most` with the most current impressions. Only the column that sorts the page (`key`) is
-- computed.
WITH
  chosen AS (
    SELECT asin, {key} AS sorted_by
    FROM (
      SELECT
        *,
        CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN 1 ELSE 0 END AS is_current
      FROM search_month
      WHERE channel = {channel:Int32} AND matches(asin, {asins:Array(String)}) AND (
        (day >= {first:Date} AND day <= {last:Date})
        OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
      )
    ) AS figures
    GROUP BY asin
    ORDER BY sum(is_current * impressions) DESC, asin
    LIMIT {most:Int32}
  )
SELECT asin, CAST(count(*) OVER () AS BIGINT) AS matching
FROM chosen
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
