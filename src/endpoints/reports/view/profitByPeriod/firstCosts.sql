-- One row per SKU with a unit cost, as `costs` of a WITH clause: the date on which its first one
-- begins.
costs AS (
  SELECT channel, sku, min(effective_from) AS since
  FROM unit_cost
  WHERE one_of(channel, {channels:Array(Int32)})
  GROUP BY channel, sku
)
