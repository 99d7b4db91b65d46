-- One row per held line of the orders asked for, with every column of the table.
SELECT
  order_id, line_id, purchased_at, updated_at, status, sku, product_id, quantity, item_price, item_tax, promotion_discount,
  shipping_price, currency, customer
FROM order_line
WHERE channel = {channel:Int32} AND one_of(order_id, {orderIds:Array(String)})
