-- One row per report and currency of the channel's newest snapshot; `costs` counts its rows with a
-- storage cost.
SELECT
  day, report, currency,
  CAST(sum(CASE WHEN storage_cost_next_month <> amount(0) THEN 1 ELSE 0 END) AS BIGINT)
    AS costs
FROM inventory
WHERE channel = {channel:Int32}
  AND day = (SELECT max(day) FROM inventory WHERE channel = {channel:Int32})
GROUP BY day, report, currency
