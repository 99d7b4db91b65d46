-- One row per day and currency with a rate of the operator.
SELECT day, currency
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = {ownRates:String}
