-- One row per warehouse: the date of its newest published exchange rate; none without such a rate.
-- Rates belong to no customer's channel, so the question is about channel 0.
SELECT max(day) AS day
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = ''
HAVING count(*) > 0
