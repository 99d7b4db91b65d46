-- One row per product of a page with customers in either window, the one with the most customers of
-- the period first, and its figures of the period: only `keys`, or all products if it is empty. The
-- product of a SKU is what it was last ordered as, else the product in the catalogue, else the SKU.
-- A customer is a buyer that any line of an order names. Orders without one, canceled lines and
-- lines of no known product do not count. All order lines up to the end of both windows are read,
-- to find first orders. The rows are the first `most` behind the one with `customers` and
-- `product`. Lines are grouped and sorted, and joined only to SKUs, so that an engine can do it on
-- disk.
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
  lines AS (
    SELECT
      order_id, sku, product_id, purchased_at, customer, currency,
      CASE
        WHEN purchased_at >= {from:Int64} AND purchased_at <= {to:Int64} THEN 1 ELSE 0
      END AS is_ordered,
      CASE
        WHEN purchased_at >= {from:Int64} AND purchased_at <= {to:Int64} THEN 1
        WHEN purchased_at >= {priorFrom:Int64} AND purchased_at <= {priorTo:Int64} THEN 1
        ELSE 0
      END AS is_listed,
      item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END AS price
    FROM order_line
    WHERE channel = {channel:Int32} AND day <= {untilUtc:Date} AND purchased_at <= {until:Int64}
      AND status <> 'Canceled'
  ),
  sold AS (
    SELECT
      order_id, sku, product_id, purchased_at, customer, is_ordered, is_listed,
      CASE WHEN is_ordered = 1 THEN price ELSE amount(0) END AS sales,
      CASE WHEN is_ordered = 1 THEN currency ELSE {currency:String} END AS sales_currency,
      local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS local_date
    FROM lines
  ),
  orders AS (
    SELECT
      order_id,
      coalesce(nullif(known_product, ''), sold.product_id) AS row_product,
      max(customer) AS named_customer,
      min(purchased_at) AS ordered_at,
      max(is_ordered) AS is_ordered,
      max(is_listed) AS is_listed,
      sum(unconverted(sales, sales_currency)) AS sales,
      sum_converted(sales, sales_currency, local_date) AS sales_converted
    FROM sold LEFT JOIN known ON item_sku = sold.sku
    GROUP BY order_id, coalesce(nullif(known_product, ''), sold.product_id)
  ),
  named AS (
    SELECT
      row_product,
      max(named_customer) OVER (PARTITION BY order_id) AS buyer,
      ordered_at, is_ordered, is_listed, sales, sales_converted
    FROM orders
  ),
  customers AS (
    SELECT
      row_product,
      min(ordered_at) AS first_at,
      sum(is_ordered) AS orders,
      max(is_listed) AS is_listed,
      sum(sales) AS sales,
      sum(sales_converted) AS sales_converted
    FROM named
    WHERE buyer <> '' AND row_product <> '' AND matches(row_product, {keys:Array(String)})
    GROUP BY row_product, buyer
  ),
  sums AS (
    SELECT
      row_product,
      max(is_listed) AS is_listed,
      CAST(sum(CASE WHEN orders > 0 THEN 1 ELSE 0 END) AS BIGINT) AS customers,
      CAST(sum(CASE WHEN orders > 0 AND first_at >= {from:Int64} THEN 1 ELSE 0 END) AS BIGINT)
        AS new_customers,
      CAST(sum(CASE WHEN orders > 1 THEN 1 ELSE 0 END) AS BIGINT) AS repeat_customers,
      sum(sales) AS sales,
      CAST(sum(sales_converted) AS DOUBLE) AS sales_converted,
      sum(CASE WHEN orders > 1 THEN sales ELSE amount(0) END) AS repeat_sales,
      CAST(sum(CASE WHEN orders > 1 THEN sales_converted ELSE 0 END) AS DOUBLE)
        AS repeat_sales_converted
    FROM customers
    GROUP BY row_product
  )
SELECT
  row_product AS row_key, customers, new_customers, repeat_customers,
  sales, sales_converted, repeat_sales, repeat_sales_converted
FROM sums
WHERE is_listed = 1 AND (
  customers < {customers:Int64}
  OR (customers = {customers:Int64} AND row_product > {product:String})
)
ORDER BY customers DESC, row_product
LIMIT {most:Int64}
