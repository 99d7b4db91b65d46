-- One row per currency, or per channel and currency, that the figures of the channels have from
-- `first` to `last`. `{figures}` is their table; `{columns}` are `currency` or `channel, currency`.
SELECT DISTINCT {columns}
FROM {figures}
WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
ORDER BY {columns}
