-- One row per `grain` and currency: the sums of the figures of a rollup. `events.ts` fills the
-- places.
SELECT {columns}, currency, {sums}
FROM {rollup}
WHERE channel = {channel:Int32} AND {rows}
GROUP BY {grain}, currency
