-- One row per `grain` and currency: the sums of the figures of a rollup. `profitEvents.ts` fills
-- the places.
SELECT {columns}, currency, {sums}
FROM {rollup}
WHERE one_of(channel, {channels:Array(Int32)}) AND {rows}
GROUP BY {grain}, currency
