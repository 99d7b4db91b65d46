-- One row per currency of `currencies` that has any reference rate. Rates belong to no customer's
-- channel, so their channel is 0.
SELECT currency
FROM exchange_rate
WHERE channel = {channel:Int32} AND one_of(currency, {currencies:Array(String)})
GROUP BY currency
