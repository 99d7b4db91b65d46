-- One row per campaign, ad group, keyword or product of the channels, with its sums over the range.
-- `{sumsOfItems}` is sums.sql, `{listed}` one of campaigns.sql, adGroups.sql, keywords.sql and
-- products.sql. A column that `{shown}` omits is computed only for sorting.
WITH
  sums AS ({sumsOfItems}),
  listed AS ({listed})
SELECT {shown}, CAST(count(*) OVER () AS BIGINT) AS matching
FROM listed
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
