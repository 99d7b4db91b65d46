-- One row per channel, date in UTC and currency with order lines that are not canceled.
select
  regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id,
  day,
  currency,
  count(*) as line_items,
  sum(quantity) as units,
  sum(item_price) as sales
from {{ source('vitrine', 'order_line') }}
where status <> 'Canceled'
group by all
