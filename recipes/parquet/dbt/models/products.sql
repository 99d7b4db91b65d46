-- One row per channel, SKU and currency of all order lines that are not canceled.
with titles as (
  select
    regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id,
    sku,
    any_value(title) as title
  from {{ source('vitrine', 'product') }}
  group by all
)

select
  sold.*,
  titles.title
from (
  select
    regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id,
    sku,
    currency,
    sum(quantity) as units,
    sum(item_price) as sales
  from {{ source('vitrine', 'order_line') }}
  where status <> 'Canceled'
  group by all
) as sold
left join titles using (channel_id, sku)
