-- One row per parent product, with its title: the part `titles` of trafficAndConversion.sql.
LEFT JOIN products AS family ON family.product_id = product_sku
LEFT JOIN product AS entry
  ON entry.channel = {channel:Int32}
  AND entry.sku = coalesce(family.titled_sku, sums.titled_sku)
