-- One row per currency with a rate published on or before the day: the last such rate. The euro has none.
-- An empty currency asks for all of them. Rates are nobody's, so they are asked of channel 0.
SELECT rate.currency AS currency, rate.day AS day, rate.per_euro AS per_euro
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
ORDER BY currency
