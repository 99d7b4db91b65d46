-- One row per currency with amounts in either window, with their first and last date. The part
-- `sales` is the same as in asins.sql.
SELECT currency, min(day) AS first, max(day) AS last
FROM {sales} AS sale
WHERE is_priced = 1
GROUP BY currency
