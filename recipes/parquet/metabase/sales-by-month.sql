-- One row per channel, month and currency with order lines that are not canceled.
select
  channel_id,
  date_trunc('month', day) as month,
  currency,
  sum(item_price) as sales,
  sum(quantity) as units
from order_lines
where status <> 'Canceled'
  [[and channel_id = {{channel}}]]
  [[and currency = {{currency}}]]
group by all
order by channel_id, month
