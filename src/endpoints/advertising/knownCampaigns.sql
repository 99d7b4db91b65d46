-- One row per campaign of the channels that is known or ever had figures.
SELECT campaign_id
FROM campaign
WHERE one_of(channel, {channels:Array(Int32)})
UNION
SELECT campaign_id
FROM campaign_day
WHERE one_of(channel, {channels:Array(Int32)})
