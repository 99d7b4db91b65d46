-- One row per product of a page, in order. `facts` is a UNION ALL of the other parts here. A fact
-- belongs to its SKU; one that names a product id alone to the SKU of the catalogue with this id
-- or, where several have it, to a row of its own. Columns that begin with `prior_` are those of the
-- prior window, and `_converted` those that converted() made. `{entry}` and `{stock}` join the
-- catalogue and the inventory where the order or the conditions of `{filter}` need them.
WITH
  facts AS ({facts}),
  items AS (
    SELECT
      is_current, sku, product, {found} AS found_product, max(sold_at) AS sold_at,
      max(lists_row) AS lists_row, {sums}
    FROM facts
    GROUP BY is_current, sku, product
  ),
  owners AS ({owners}),
  placed AS (
    SELECT
      {ownSku} AS row_sku,
      CASE WHEN owner IS NULL THEN product ELSE '' END AS row_product,
      first_sku,
      is_current, found_product, sold_at, lists_row, {columns}
    FROM items LEFT JOIN owners ON owned_product = product
  ),
  sums AS (
    SELECT
      row_sku,
      row_product,
      coalesce(nullif(row_sku, ''), max(first_sku)) AS entry_sku,
      max(found_product) AS found_product,
      max(lists_row) AS lists_row,
      nullif(max(CASE WHEN is_current = 1 THEN sold_at ELSE 0 END), 0) AS last_sold_at,
      nullif(max(CASE WHEN is_current = 0 THEN sold_at ELSE 0 END), 0) AS prior_last_sold_at,
      {windows}
    FROM placed
    GROUP BY row_sku, row_product
  )
SELECT
  row_sku, row_product, found_product, last_sold_at, prior_last_sold_at, {shown},
  CAST(count(*) OVER () AS BIGINT) AS matching
FROM sums
{entry}
{stock}
WHERE {filter}
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
