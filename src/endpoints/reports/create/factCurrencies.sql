-- One row per currency with amounts of facts in either window, with their first and last local
-- date. `instants.ts` fills `facts` with rows of both windows, and `priced` with the condition that
-- a row has an amount.
SELECT currency, min(local_date) AS first, max(local_date) AS last
FROM ({facts}) AS fact
WHERE {priced}
GROUP BY currency
