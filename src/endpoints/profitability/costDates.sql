-- One row per date from `first` to `last` on which a unit cost of the channel begins.
SELECT DISTINCT effective_from
FROM unit_cost
WHERE channel = {channel:Int32} AND effective_from >= {first:Date} AND effective_from <= {last:Date}
