-- One row in all, if the channel has order lines whose tax neither a document nor a rate states:
-- the first and the last instant of them. The rates of `skus` begin at `skusFrom`, those of all
-- SKUs at `from`.
SELECT min(purchased_at) AS first_at, max(purchased_at) AS last_at
FROM order_line
WHERE channel = {channel:Int32} AND {isUnstatedLine.sql}
  AND purchased_at < {from:Int64}
  AND NOT (
    in_list(sku, {skus:Array(String)})
    AND purchased_at >= {skusFrom:Array(Int64)}[index_of({skus:Array(String)}, sku)]
  )
HAVING count(*) > 0
