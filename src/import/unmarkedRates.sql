-- One row per warehouse: the number of rates of these imports without a source. Rates belong to no
-- customer's channel, so the question is about channel 0.
SELECT CAST(count(*) AS BIGINT) AS found
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = '' AND in_list(import_id, {imports:Array(Int64)})
