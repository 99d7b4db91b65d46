-- One row per item of `sums` that is not in the table `{known}`: its names in the figures. If all
-- items are known, which is usual, no figures are read again.
SELECT channel, {id}, {names}
FROM {figures}
WHERE {inRange}
  AND {id} IN (
    SELECT {id}
    FROM sums
    WHERE (channel, {id}) NOT IN (
      SELECT channel, {id} FROM {known} WHERE one_of(channel, {channels:Array(Int32)})
    )
  )
GROUP BY channel, {id}
