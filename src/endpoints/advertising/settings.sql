-- One row per channel with settings, such as budgets, on campaigns, ad groups or keywords.
SELECT channel
FROM {table}
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
