-- One row per financial event of which this condition says that it is taxed by a date from `from`
-- until `until`: the date of purchase, if the order is known; else the date of its first sale, so
-- that a refund is taxed like the sale; else the posting date.
(
  order_id IN (
    SELECT order_id
    FROM order_line
    WHERE channel = {channel:Int32}
      AND purchased_at >= {from:Int64} AND purchased_at < {until:Int64}
  )
  OR (
    order_id NOT IN (SELECT order_id FROM order_line WHERE channel = {channel:Int32})
    AND (
      order_id IN (
        SELECT order_id
        FROM ({firstSales.sql}) AS sales
        WHERE sold_at >= {from:Int64} AND sold_at < {until:Int64}
      )
      OR (
        order_id NOT IN (SELECT order_id FROM ({firstSales.sql}) AS sales)
        AND posted_at >= {from:Int64} AND posted_at < {until:Int64}
      )
    )
  )
)
