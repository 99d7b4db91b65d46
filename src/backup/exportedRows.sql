-- One row per row of `{table}` of a channel, with the columns that an export has.
SELECT {columns}
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)})
