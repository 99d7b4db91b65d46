-- One row per SKU of `items` with facts in either window: the product id that they name.
SELECT sku, max(found_product) AS found_product
FROM ({facts}) AS facts
WHERE in_list(sku, {items:Array(String)})
GROUP BY sku
