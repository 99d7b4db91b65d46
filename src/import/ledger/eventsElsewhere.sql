-- One row per transaction of these units that another store has booked, on the UTC days from
-- `first` to `last`.
SELECT DISTINCT unit, transaction_id
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND day >= {first:Date} AND day <= {last:Date}
  AND code <> {marker:String}
  AND in_list(unit, {keys:Array(String)})
