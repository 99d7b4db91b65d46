-- One row per product, date and type of advertising of a vendor in a window, from `first` to
-- `last`: the part `advertised` of questions. Products of vendors have no SKU.
SELECT '' AS sku, product_id, currency, day, cost, sales
FROM ad_product_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
