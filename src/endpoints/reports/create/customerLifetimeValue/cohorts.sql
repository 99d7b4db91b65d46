-- One row per local day from `from` to `to` on which customers ordered for the first time ever,
-- with everything they have ordered since, and one without a day for all other orders: the end of
-- customerLifetimeValue.sql and comparedCustomers.sql, which find `orders`. Orders without a known
-- buyer belong to no customer.
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
