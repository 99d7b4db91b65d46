-- One row per channel and date with a snapshot of its inventory.
SELECT channel, day
FROM inventory
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
GROUP BY channel, day
