-- One row in all: the number of a channel's rows of `{table}` that meet the condition `{removed}`,
-- and the first and the last of their `{times}`.
SELECT CAST(count(*) AS BIGINT) AS found, min({times}) AS first, max({times}) AS last
FROM {table}
WHERE channel = {channel:Int32} AND ({removed})
