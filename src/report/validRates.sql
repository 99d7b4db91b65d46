-- One row per currency: the last exchange rate on or before the day. The euro has none. An empty
-- currency matches all currencies. On the same date, the operator's own rate counts before a
-- published one, as its source is the greater text. Rates belong to no customer's channel, so their
-- channel is 0.
SELECT
  rate.currency AS currency,
  rate.day AS day,
  argMax(rate.per_euro, rate.source) AS per_euro,
  max(rate.source) AS source
FROM exchange_rate AS rate
JOIN (
  SELECT currency, max(day) AS last_day
  FROM exchange_rate
  WHERE channel = {channel:Int32} AND day <= {day:Date}
  GROUP BY currency
) AS newest ON newest.currency = rate.currency AND newest.last_day = rate.day
WHERE rate.channel = {channel:Int32}
  AND rate.currency <> 'EUR'
  AND ({currency:String} = '' OR rate.currency = {currency:String})
GROUP BY rate.currency, rate.day
ORDER BY currency
