-- One row per currency with amounts in either window, with their first and last date. `asins.ts`
-- fills `items` as it does in asins.sql, and `priced` with the condition that a row has an amount.
SELECT currency, min(day) AS first, max(day) AS last
FROM ({items}) AS item
WHERE {priced}
GROUP BY currency
