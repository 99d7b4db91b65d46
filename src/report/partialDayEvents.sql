-- One row per financial event of a SKU from `first` to `last`. Its id is the SKU after the letter
-- of the part of the UTC day that the event is in: `before` the second, or `after` it.
SELECT
  channel, day, day AS cost_day,
  concat(
    CASE
      WHEN posted_at - floor_multiple(posted_at, 86400) < {second:Int32} THEN {before:String}
      ELSE {after:String}
    END,
    sku
  ) AS id,
  sku, currency, line, source, amount, tax, quantity, fulfillment
FROM finance_event
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date} AND sku <> ''
