-- One row per channel and import with order lines whose tax was read on one of these bases.
SELECT
  channel,
  import_id,
  CAST(count(*) AS BIGINT) AS lines,
  min(purchased_at) AS first_at,
  max(purchased_at) AS last_at
FROM order_line
WHERE one_of(channel, {channels:Array(Int32)}) AND one_of(tax_basis, {bases:Array(String)})
GROUP BY channel, import_id
