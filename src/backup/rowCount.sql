-- One row in all: how many rows of `{table}` channels have.
SELECT count(*) AS row_count
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)})
