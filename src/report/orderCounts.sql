-- One row per channel and local day with orders. An order counts once, on the day of its first line
-- within the range; canceled lines do not count.
SELECT
  channel,
  local_day(first_at, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day,
  CAST(count(*) AS BIGINT) AS orders
FROM (
  SELECT channel, order_id, min(purchased_at) AS first_at
  FROM order_line
  WHERE one_of(channel, {channels:Array(Int32)})
    AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
    AND purchased_at >= {from:Int64} AND purchased_at <= {to:Int64}
    AND status <> 'Canceled'
  GROUP BY channel, order_id
) AS placed
GROUP BY channel, local_day(first_at, {starts:Array(Int64)}, {offsets:Array(Int64)})
