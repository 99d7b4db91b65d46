-- One row per warehouse: how many rates of these imports have no source. Rates belong to no channel
-- of a customer, so they are asked of channel 0.
SELECT CAST(count(*) AS BIGINT) AS found
FROM exchange_rate
WHERE channel = {channel:Int32} AND source = '' AND in_list(import_id, {imports:Array(Int64)})
