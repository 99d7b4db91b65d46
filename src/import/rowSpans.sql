-- One row per partition, key, date range and import of the facts that overlap the days from `first`
-- to `last`: multi-day facts, and with `keys` also single days of these keys. `row_key` is the key
-- of a row without its day, with @ between its columns.
SELECT {partition} AS part, concat({rowKey}) AS row_key, since, day, import_id
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date}
  AND matches({partition}, {parts:Array(String)})
  AND (since < day OR in_list(concat({rowKey}), {keys:Array(String)}))
ORDER BY since, day, row_key, import_id
