-- One row in all: how many rows of `{table}` a channel has that meet the condition `{removed}`, and
-- the first and the last of their `{times}`.
SELECT CAST(count(*) AS BIGINT) AS found, min({times}) AS first, max({times}) AS last
FROM {table}
WHERE channel = {channel:Int32} AND ({removed})
