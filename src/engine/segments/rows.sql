-- One row per channel and key of a table, on the days of a range.
SELECT channel, {columns}
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
