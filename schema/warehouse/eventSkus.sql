-- One row per SKU of the few events that are kept.
SELECT DISTINCT event_sku
FROM events
