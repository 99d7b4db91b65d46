-- One row per channel that has campaigns, ad groups or keywords with settings, such as budgets.
SELECT channel
FROM {known}
WHERE one_of(channel, {channels:Array(Int32)})
GROUP BY channel
