-- One row per local day from `from` to `to` on which customers of the channel ordered for the
-- first time ever, with everything they have ordered since. Canceled lines do not count. Orders
-- without a known buyer belong to no customer.
WITH
  orders AS (
    SELECT
      max(customer) AS customer,
      min(purchased_at) AS ordered_at,
      sum(unconverted(item_price, currency)) AS revenue,
      sum_converted(
        item_price,
        currency,
        local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)})
      ) AS revenue_converted
    FROM order_line
    WHERE channel = {channel:Int32} AND status <> 'Canceled'
    GROUP BY order_id
  ),
  customers AS (
    SELECT
      min(ordered_at) AS first_at,
      count(*) AS orders,
      sum(revenue) AS revenue,
      sum(revenue_converted) AS revenue_converted
    FROM orders
    WHERE customer <> ''
    GROUP BY customer
  )
SELECT
  local_day(first_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  CAST(count(*) AS BIGINT) AS customers,
  CAST(sum(CASE WHEN orders > 1 THEN 1 ELSE 0 END) AS BIGINT) AS repeat_customers,
  CAST(sum(orders) AS BIGINT) AS orders,
  sum(revenue) AS revenue,
  CAST(sum(revenue_converted) AS DOUBLE) AS revenue_converted,
  sum(CASE WHEN orders > 1 THEN revenue ELSE amount(0) END) AS repeat_revenue,
  CAST(sum(CASE WHEN orders > 1 THEN revenue_converted ELSE 0 END) AS DOUBLE)
    AS repeat_revenue_converted
FROM customers
WHERE first_at >= {from:Int64} AND first_at <= {to:Int64}
GROUP BY local_day(first_at, {starts:Array(Int64)}, {offsets:Array(Int64)})
