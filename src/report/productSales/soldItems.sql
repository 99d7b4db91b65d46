-- One row per SKU and product id that was sold in the comparison period: the part `listed` of
-- pages of sold products.
SELECT sku, product_id
FROM ({sales.sql}) AS sales
WHERE units_sold <> 0 OR total_sales <> amount(0) OR total_sales_converted <> 0
