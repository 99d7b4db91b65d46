-- One row per channel: the number of rows of its inventory.
SELECT CAST(count(*) AS BIGINT) AS snapshots
FROM inventory
WHERE channel = {channel:Int32}
