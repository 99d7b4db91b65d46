-- One row per date from `first` to `last` on which a unit cost of one of the channels begins.
SELECT DISTINCT effective_from
FROM unit_cost
WHERE one_of(channel, {channels:Array(Int32)})
  AND effective_from >= {first:Date} AND effective_from <= {last:Date}
