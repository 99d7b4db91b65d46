-- One row per channel and currency that its figures have from `first` to `last`. `{figures}` is
-- their table.
SELECT DISTINCT channel, currency
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
ORDER BY channel, currency
