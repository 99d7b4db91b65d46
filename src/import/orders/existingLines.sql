-- One row per existing line, with every column of the table, of these orders, purchased on the UTC
-- days from `first` to `last`.
SELECT
  order_id, line_id, purchased_at, updated_at, items_at, status, sku, product_id, quantity,
  item_price, item_tax, promotion_discount, shipping_price, tax_basis, currency, customer
FROM order_line
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND in_list(order_id, {orderIds:Array(String)})
