-- One row per channel, month and currency with campaigns.
select
  channel_id,
  date_trunc('month', day) as month,
  currency,
  sum(cost) as spend,
  sum(sales) as ad_sales,
  round(100 * sum(cost) / nullif(sum(sales), 0), 2) as acos
from campaign_days
where true
  [[and channel_id = {{channel}}]]
group by all
order by channel_id, month
