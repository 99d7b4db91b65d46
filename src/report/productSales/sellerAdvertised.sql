-- One row per product, date and type of advertising of a seller in a window, from `first` to
-- `last`: the part `advertised` of questions.
SELECT sku, product_id, currency, day, cost, sales
FROM ad_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
