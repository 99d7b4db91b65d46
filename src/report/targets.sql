-- One row per channel and month with targets, dated on its first day, and one per channel and date
-- with targets.
SELECT
  channel, 1 AS is_month, day, sales_budget, sales_budget_set, sales_forecast,
  sales_forecast_set, ad_spend_budget, ad_spend_budget_set
FROM target_month
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
UNION ALL
SELECT
  channel, 0 AS is_month, day, sales_budget, sales_budget_set, sales_forecast,
  sales_forecast_set, ad_spend_budget, ad_spend_budget_set
FROM target_day
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
