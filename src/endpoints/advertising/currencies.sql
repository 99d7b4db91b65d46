-- One row per currency of the figures of the channels from `first` to `last`. `{table}` is the table of facts.
SELECT DISTINCT currency
FROM {table}
WHERE channel IN (
        {channels:Array(Int32)}[1], {channels:Array(Int32)}[2], {channels:Array(Int32)}[3], {channels:Array(Int32)}[4], {channels:Array(Int32)}[5]
      )
  AND day >= {first:Date} AND day <= {last:Date}
