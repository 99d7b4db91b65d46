-- One row per channel with facts in `table`: the last of their dates or instants, which are in
-- `column`.
SELECT channel, max({column}) AS last_at
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
