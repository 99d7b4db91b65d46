-- One row in all, if the channel has financial events whose tax neither a document nor a rate
-- states: the first and the last instant of them. The rates of `skus` begin at `skusFrom`, those of
-- all SKUs at `from`. isEventWithin.sql says by which date an event is taxed.
SELECT min(posted_at) AS first_at, max(posted_at) AS last_at
FROM (
  SELECT sku, posted_at, coalesce(purchased_at, sold_at, posted_at) AS taxed_at
  FROM (
    SELECT order_id, sku, posted_at
    FROM finance_event
    WHERE channel = {channel:Int32} AND {isUnstatedEvent.sql}
  ) AS unstated
  LEFT JOIN (
    SELECT order_id AS purchase, max(purchased_at) AS purchased_at
    FROM order_line
    WHERE channel = {channel:Int32}
    GROUP BY order_id
  ) AS purchases ON purchase = order_id
  LEFT JOIN (SELECT order_id AS sale, sold_at FROM ({firstSales.sql}) AS first_sales) AS sales
    ON sale = order_id
) AS dated
WHERE taxed_at < {from:Int64}
  AND NOT (
    in_list(sku, {skus:Array(String)})
    AND taxed_at >= {skusFrom:Array(Int64)}[index_of({skus:Array(String)}, sku)]
  )
HAVING count(*) > 0
