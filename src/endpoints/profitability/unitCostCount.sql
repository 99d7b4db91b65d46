-- One row in all: the number of unit costs of the channels, and of those that belong to SKUs of one
-- channel from the day on.
SELECT
  CAST(count(*) AS BIGINT) AS held,
  CAST(coalesce(sum(
    CASE WHEN channel = {channel:Int32} AND effective_from = {day:Date}
      AND in_list(sku, {skus:Array(String)}) THEN 1 ELSE 0 END
  ), 0) AS BIGINT) AS replaced
FROM unit_cost
WHERE one_of(channel, {channels:Array(Int32)})
