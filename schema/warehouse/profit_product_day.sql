-- One row per UTC day, SKU and currency with financial events: the sums of their figures, and the
-- numbers of their units for unit costs, which are added when the rollup is read.
SELECT day, event_sku AS sku, currency, {sums}
FROM ({eventFigures.sql}) AS event
GROUP BY day, event_sku, currency
