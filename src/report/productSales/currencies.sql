-- One row per currency other than `currency` with amounts in a window, with their first and last
-- date.
SELECT currency, min(day) AS first, max(day) AS last
FROM (
  SELECT currency, day
  FROM {sold} AS sold
  WHERE revenue <> amount(0)
  UNION ALL
  SELECT currency, day
  FROM {advertised} AS advertised
  WHERE cost <> amount(0) OR sales <> amount(0)
) AS amounts
WHERE currency <> {currency:String}
GROUP BY currency
