-- One row per currency that the figures of the channels have from `first` to `last`.
-- `{figures}` is their table.
SELECT DISTINCT currency
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
