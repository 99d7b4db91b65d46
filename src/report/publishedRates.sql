-- One row per currency: the last exchange rate published on or before the day. The euro has none.
-- An empty currency matches all of them. Rates belong to no channel, so they are kept under channel
-- 0.
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
