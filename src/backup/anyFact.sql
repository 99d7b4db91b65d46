-- One row in all, if channels have a row of `{table}`: the first question of a backup, with which
-- its view of the warehouse begins.
SELECT 1 AS found
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)})
LIMIT 1
