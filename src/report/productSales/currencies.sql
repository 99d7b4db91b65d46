-- One row per currency other than `currency` with amounts in either window, with the first and the
-- last date of them.
SELECT currency, min(day) AS first, max(day) AS last
FROM ({facts}) AS facts
WHERE currency <> {currency:String}
  AND (total_sales <> amount(0) OR ad_spend <> amount(0) OR ad_sales <> amount(0))
GROUP BY currency
