-- One row per channel and date from `first` to `last` on which a unit cost of the channel begins.
SELECT DISTINCT channel, effective_from AS day
FROM unit_cost
WHERE one_of(channel, {channels:Array(Int32)})
  AND effective_from >= {first:Date} AND effective_from <= {last:Date}
