-- One row per currency with amounts of facts in either window, with their first and last local
-- date.
SELECT currency, min(local_date) AS first, max(local_date) AS last
FROM ({facts.sql}) AS fact
WHERE gross <> amount(0) OR canceled <> amount(0) OR refunded <> amount(0)
GROUP BY currency
