-- One row per UTC day, SKU and currency with financial events: the sums of their figures, and the
-- numbers of their units for unit costs, which are added when the rollup is read.
SELECT {grain}, currency, {sums}
FROM ({rows}) AS event
GROUP BY {grain}, currency
