-- One row per currency of `currencies` in which an order line that is not canceled has a price.
SELECT DISTINCT currency
FROM order_line
WHERE channel = {channel:Int32} AND status <> 'Canceled' AND item_price <> amount(0)
  AND one_of(currency, {currencies:Array(String)})
