-- One row per local day from `from` to `to` on which customers of the channel ordered for the first
-- time ever, with all their orders since, and one without a day for all other orders. Canceled
-- lines do not count. Orders without a known buyer belong to no customer. `{customer}` is an
-- aggregate for the buyer of an order's lines; `{differs}` checks whether it depends on the line.
WITH
  orders AS (
    SELECT
      {customer} AS customer,
      CASE WHEN {differs} THEN 1 ELSE 0 END AS differs,
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
      CASE
        WHEN customer <> '' AND min(ordered_at) >= {from:Int64} AND min(ordered_at) <= {to:Int64}
        THEN local_day(min(ordered_at), {starts:Array(Int64)}, {offsets:Array(Int64)})
      END AS first_day,
      count(*) AS orders,
      max(differs) AS differs,
      sum(revenue) AS revenue,
      sum(revenue_converted) AS revenue_converted
    FROM orders
    GROUP BY customer
  )
SELECT
  first_day AS day,
  max(differs) AS differs,
  CAST(count(*) AS BIGINT) AS customers,
  CAST(sum(CASE WHEN orders > 1 THEN 1 ELSE 0 END) AS BIGINT) AS repeat_customers,
  CAST(sum(orders) AS BIGINT) AS orders,
  sum(revenue) AS revenue,
  CAST(sum(revenue_converted) AS DOUBLE) AS revenue_converted,
  sum(CASE WHEN orders > 1 THEN revenue ELSE amount(0) END) AS repeat_revenue,
  CAST(sum(CASE WHEN orders > 1 THEN revenue_converted ELSE 0 END) AS DOUBLE)
    AS repeat_revenue_converted
FROM customers
GROUP BY first_day
