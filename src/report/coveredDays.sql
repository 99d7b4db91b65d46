-- One row per channel with order lines: a date by which it has some.
SELECT channel, min(day) AS day
FROM store_day
WHERE one_of(channel, {channels:Array(Int32)}) AND orders_cover = 1
GROUP BY channel
