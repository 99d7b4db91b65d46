-- One row per local day from `from` to `to` on which customers of the channel ordered for the first time ever: what they have ordered since.
-- An order counts with its lines that are not canceled; orders of which no buyer is known count for nobody.
-- Prices in `currency` are summed exactly; the others at the rate of their local day, for which `factors` holds the `days` of each of
-- `currencies` one after the other, beginning with `first`.
WITH
  orders AS (
    SELECT
      max(customer) AS customer,
      min(purchased_at) AS ordered_at,
      sum(CASE WHEN currency = {currency:String} THEN item_price ELSE amount(0) END) AS revenue,
      CASE
        WHEN {converting:Int32} = 1 THEN sum(
          CASE
            WHEN currency = {currency:String} OR item_price = amount(0) THEN 0
            ELSE CAST(item_price AS DOUBLE) * {factors:Array(Float64)}[
              (index_of({currencies:Array(String)}, currency) - 1) * {days:Int32}
              + date_diff('day', {first:Date}, local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)})) + 1
            ]
          END
        )
        ELSE 0
      END AS revenue_converted
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
  sum(revenue_converted) AS revenue_converted,
  sum(CASE WHEN orders > 1 THEN revenue ELSE amount(0) END) AS repeat_revenue,
  sum(CASE WHEN orders > 1 THEN revenue_converted ELSE 0 END) AS repeat_revenue_converted
FROM customers
WHERE first_at >= {from:Int64} AND first_at <= {to:Int64}
GROUP BY local_day(first_at, {starts:Array(Int64)}, {offsets:Array(Int64)})
