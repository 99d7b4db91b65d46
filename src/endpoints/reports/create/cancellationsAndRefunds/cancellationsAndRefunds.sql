-- One row per row of the report with order lines or refunds in a window: only `keys`, or all if it
-- is empty. The window is `from` to `to`, and the same in `priorFrom` and `priorTo`.
SELECT
  row_key,
  CAST(sum(gross_units) AS BIGINT) AS gross_units,
  CAST(sum(canceled_units) AS BIGINT) AS canceled_units,
  CAST(sum(refunded_units) AS BIGINT) AS refunded_units,
  sum(unconverted(gross, currency)) AS gross,
  CAST(sum_converted(gross, currency, local_date) AS DOUBLE) AS gross_converted,
  sum(unconverted(canceled, currency)) AS canceled,
  CAST(sum_converted(canceled, currency, local_date) AS DOUBLE) AS canceled_converted,
  sum(unconverted(refunded, currency)) AS refunded,
  CAST(sum_converted(refunded, currency, local_date) AS DOUBLE) AS refunded_converted
FROM (
  SELECT
    CASE WHEN sku = '' THEN coalesce(owner, product_id) ELSE sku END AS row_key,
    currency, local_date, gross_units, canceled_units, refunded_units, gross, canceled, refunded
  FROM ({facts.sql}) AS fact LEFT JOIN ({../../../../report/productOwners.sql}) AS owners
    ON owned_product = CASE WHEN sku = '' THEN product_id ELSE '' END
) AS owned
WHERE matches(row_key, {keys:Array(String)})
GROUP BY row_key
