-- One row per month with targets, dated to its first day, from `firstMonth` to `last`, and one per
-- date with targets from `first` to `last`.
SELECT
  1 AS is_month, day, sales_budget, sales_budget_set, sales_forecast, sales_forecast_set,
  ad_spend_budget, ad_spend_budget_set
FROM target_month
WHERE channel = {channel:Int32} AND day >= {firstMonth:Date} AND day <= {last:Date}
UNION ALL
SELECT
  0 AS is_month, day, sales_budget, sales_budget_set, sales_forecast, sales_forecast_set,
  ad_spend_budget, ad_spend_budget_set
FROM target_day
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
