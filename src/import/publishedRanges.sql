-- One row per currency and year with published exchange rates: the least and the greatest of them.
-- Rates belong to no customer's channel, so the question is about channel 0.
SELECT currency, substring(CAST(day AS VARCHAR), 1, 4) AS year,
  min(per_euro) AS least, max(per_euro) AS most
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = ''
GROUP BY currency, year
ORDER BY currency, year
