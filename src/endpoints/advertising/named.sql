-- One row per item of `sums` that is not in the table `known`: what the figures name of it. Where
-- all are known, as usual, no figures are read again.
SELECT channel, {id}, {names}
FROM {figures} AS figure
WHERE {id} IN (
  SELECT {id}
  FROM sums
  WHERE (channel, {id}) NOT IN (
    SELECT channel, {id} FROM {known} WHERE one_of(channel, {channels:Array(Int32)})
  )
)
GROUP BY channel, {id}
