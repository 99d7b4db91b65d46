-- The condition on figures that belong to the range. Each channel has its own first and last day;
-- the days from `innerFirst` to `innerLast` belong to all of them.
one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
AND (
  (day >= {innerFirst:Date} AND day <= {innerLast:Date})
  OR (
    day >= {firsts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
    AND day <= {lasts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
  )
)
