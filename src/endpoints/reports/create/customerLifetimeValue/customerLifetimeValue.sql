-- One row per local day from `from` to `to` on which customers of the channel ordered for the
-- first time ever, and one without a day for all other orders. Canceled lines do not count. The
-- buyer of an order is that of any of its lines; `differs` is 1 if the lines of an order have
-- several.
WITH
  orders AS (
    SELECT
      any_value(customer) AS customer,
      CASE WHEN min(text_hash(customer)) <> max(text_hash(customer)) THEN 1 ELSE 0 END AS differs,
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
{cohorts.sql}
