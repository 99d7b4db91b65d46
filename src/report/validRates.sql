-- One row per currency: the last exchange rate on or before the day. The euro has none. An empty
-- currency matches all of them. Of a published and an own rate of a date the own one counts, whose
-- source is the greater text. Rates belong to no channel, so they are kept under channel 0.
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
