-- One row per product of a vendor, of a page, and window with figures; the one with the most units
-- of the period first. `is_current` is 1 for the period and 0 for the comparison period, which is
-- empty where it ends before it begins. `asins.ts` fills the places: `items` are rows of both
-- windows, `sortedBy` their column of units, `active` the condition that a row brings its product
-- into the report, and `facts` the rows that `sums` add up. The rows are the first `most` products
-- behind the one with `units` and `product`. Few short columns decide which products are in a page,
-- and texts are read for the page alone, so that memory suffices for any number of products.
WITH
  page AS (
    SELECT asin, CAST(sum(is_current * {sortedBy}) AS BIGINT) AS row_units
    FROM ({items}) AS item
    GROUP BY asin
    HAVING max(CASE WHEN {active} THEN 1 ELSE 0 END) = 1 AND (
      sum(is_current * {sortedBy}) < {units:Int64}
      OR (sum(is_current * {sortedBy}) = {units:Int64} AND asin > {product:String})
    )
    ORDER BY sum(is_current * {sortedBy}) DESC, asin
    LIMIT {most:Int64}
  ),
  texts AS (
    SELECT
      page.asin AS text_asin,
      argMin(title, sku) FILTER (WHERE title <> '') AS title,
      argMin(brand, sku) FILTER (WHERE brand <> '') AS brand
    FROM page JOIN product AS entry
      ON entry.channel = {channel:Int32} AND entry.product_id = page.asin
    GROUP BY page.asin
  ),
  sums AS (
    SELECT page.asin AS sum_asin, is_current, {sums}
    FROM page JOIN ({facts}) AS fact ON fact.asin = page.asin
    GROUP BY page.asin, is_current
  )
SELECT
  row_units,
  page.asin AS asin,
  coalesce(title, '') AS title,
  coalesce(brand, '') AS brand,
  is_current,
  {figures}
FROM page
JOIN sums ON sum_asin = page.asin
LEFT JOIN texts ON text_asin = page.asin
ORDER BY row_units DESC, page.asin, is_current DESC
