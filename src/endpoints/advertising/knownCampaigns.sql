-- One row per campaign that was told of or ever had figures in one of the channels.
SELECT campaign_id
FROM campaign
WHERE one_of(channel, {channels:Array(Int32)})
UNION
SELECT campaign_id
FROM campaign_day
WHERE one_of(channel, {channels:Array(Int32)})
