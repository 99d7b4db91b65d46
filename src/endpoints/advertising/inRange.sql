-- One row per figure of `table` in the ranges of the channels. Channels of `ownRanges` have a first
-- and a last day of their own; the days from `innerFirst` to `innerLast` belong to all channels.
SELECT *
FROM {table} AS figure
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
  AND (
    NOT one_of(channel, {ownRanges:Array(Int32)})
    OR (day >= {innerFirst:Date} AND day <= {innerLast:Date})
    OR (
      day >= {firsts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
      AND day <= {lasts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
    )
  )
