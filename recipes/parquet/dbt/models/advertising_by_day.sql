-- One row per channel, date and currency with campaigns.
select
  regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id,
  day,
  currency,
  sum(impressions) as impressions,
  sum(clicks) as clicks,
  sum(cost) as spend,
  sum(sales) as ad_sales
from {{ source('vitrine', 'campaign_day') }}
group by all
