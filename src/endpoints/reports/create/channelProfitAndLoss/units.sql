-- One row per channel with sales posted in the range: the units of these sales.
SELECT channel, CAST(sum(quantity) AS BIGINT) AS units
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {firstUtc:Date} AND day <= {lastUtc:Date}
  AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
  AND line = 'sales'
GROUP BY channel
