-- One row per campaign, ad group, keyword or product of the channels, with its sums over the range.
-- They are the rows of campaigns.sql, adGroups.sql, keywords.sql or products.sql. A column that
-- `columns` omits is computed only for sorting.
WITH
  sums AS ({sums.sql}),
  listed AS {listed}
SELECT {columns}, CAST(count(*) OVER () AS BIGINT) AS matching
FROM listed
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
