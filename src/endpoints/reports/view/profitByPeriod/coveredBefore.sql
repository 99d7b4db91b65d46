-- One row per SKU whose first unit cost begins a year before `first` or earlier, as `covered` of a
-- WITH clause.
covered AS (
  SELECT channel, sku
  FROM unit_cost
  WHERE one_of(channel, {channels:Array(Int32)}) AND effective_from <= {first:Date} - 366
)
