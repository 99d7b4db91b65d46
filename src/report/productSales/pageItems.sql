-- One row per item of the period and per item that lists its product whatever facts the period has:
-- the part `items` of the rows of a page.
{figureItems.sql}
UNION ALL
SELECT sku, product_id, 0, 0, amount(0), 0, amount(0), 0, amount(0), 0, 1
FROM {listed} AS listed
