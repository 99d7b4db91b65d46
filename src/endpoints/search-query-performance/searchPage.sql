-- One row per product of a page: of the products that have figures from `first` to `last` (current) or from `priorFirst` to `priorLast`, those
-- of `asins`, where `everyAsin` is 0; of these the `most` with the most current impressions. Only the column that is sorted by is computed,
-- which is several times cheaper. `factors` holds the `monthCount` factors of `months` of each of `currencies`, one after the other.
WITH
  chosen AS (
    SELECT asin, {key} AS sorted_by
    FROM (
      SELECT *, CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN 1 ELSE 0 END AS is_current
      FROM search_month
      WHERE channel = {channel:Int32}
        AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
        AND ({everyAsin:Int32} = 1 OR one_of(asin, {asins:Array(String)}))
    ) AS figures
    GROUP BY asin
    ORDER BY sum(is_current * impressions) DESC, asin
    LIMIT {most:Int32}
  )
SELECT asin, CAST(count(*) OVER () AS BIGINT) AS matching
FROM chosen
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
