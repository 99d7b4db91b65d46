-- One row per report and currency of the channel's newest snapshot; `costs` counts its rows with a
-- storage cost, `unknown_units` the rows whose units shipped are unknown.
SELECT
  day, report, currency,
  CAST(sum(CASE WHEN storage_cost_next_month <> amount(0) THEN 1 ELSE 0 END) AS BIGINT)
    AS costs,
  CAST(sum(
    CASE
      WHEN units_shipped_7 < 0 OR units_shipped_30 < 0 OR units_shipped_60 < 0
        OR units_shipped_90 < 0
      THEN 1
      ELSE 0
    END
  ) AS BIGINT) AS unknown_units
FROM inventory
WHERE channel = {channel:Int32}
  AND day = (SELECT max(day) FROM inventory WHERE channel = {channel:Int32})
GROUP BY day, report, currency
