-- One row per channel, date and currency with sales, its advertising beside them.
select
  sold.channel_id,
  sold.day,
  sold.currency,
  sold.sales,
  sold.units,
  coalesce(advertised.spend, 0) as spend,
  coalesce(advertised.ad_sales, 0) as ad_sales,
  round(100 * advertised.spend / nullif(sold.sales, 0), 1) as tacos
from {{ ref('sales_by_day') }} as sold
left join {{ ref('advertising_by_day') }} as advertised
  using (channel_id, day, currency)
