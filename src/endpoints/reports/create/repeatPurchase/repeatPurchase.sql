-- One row per product of a page with customers in either window, the one with the most customers of
-- the period first. The product of a SKU is what it was last ordered as, else that of the
-- catalogue, else the SKU. A customer is a buyer, whom any line of an order names. Orders without
-- one, canceled lines and lines of no known product do not count. `report.ts` fills the places:
-- `facts` are the order lines of both windows and, to find first orders, all up to the end of both.
-- The rows are the first `most` behind the one with `customers` and `product`. Lines are grouped
-- and sorted, and joined with nothing but SKUs, so that an engine can do it on disk.
WITH
  items AS (
    SELECT
      sku AS item_sku,
      argMax(product_id, (purchased_at, product_id)) FILTER (WHERE product_id <> '')
        AS ordered_product
    FROM order_line
    WHERE channel = {channel:Int32} AND day <= {untilUtc:Date} AND purchased_at <= {until:Int64}
      AND status <> 'Canceled' AND sku <> ''
    GROUP BY sku
  ),
  known AS (
    SELECT
      item_sku,
      coalesce(ordered_product, nullif(entry.product_id, ''), item_sku) AS known_product
    FROM items LEFT JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.sku = item_sku
  ),
  orders AS (
    SELECT
      order_id,
      coalesce(nullif(known_product, ''), fact.product_id) AS row_product,
      max(customer) AS named_customer,
      min(purchased_at) AS ordered_at,
      max(is_ordered) AS is_ordered,
      max(prior_is_ordered) AS prior_is_ordered,
      {orderSums}
    FROM ({facts}) AS fact LEFT JOIN known ON item_sku = fact.sku
    GROUP BY order_id, coalesce(nullif(known_product, ''), fact.product_id)
  ),
  named AS (
    SELECT
      row_product,
      max(named_customer) OVER (PARTITION BY order_id) AS buyer,
      ordered_at, is_ordered, prior_is_ordered, {sales}
    FROM orders
  ),
  customers AS (
    SELECT
      row_product,
      min(ordered_at) AS first_at,
      sum(is_ordered) AS orders,
      sum(prior_is_ordered) AS prior_orders,
      {customerSums}
    FROM named
    WHERE buyer <> '' AND row_product <> ''
    GROUP BY row_product, buyer
  ),
  sums AS (
    SELECT row_product, {sums}
    FROM customers
    GROUP BY row_product
  )
SELECT row_product, {figures}
FROM sums
WHERE (customers > 0 OR prior_customers > 0) AND (
  customers < {customers:Int64}
  OR (customers = {customers:Int64} AND row_product > {product:String})
)
ORDER BY customers DESC, row_product
LIMIT {most:Int64}
