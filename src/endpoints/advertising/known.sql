-- One row per known campaign, ad group or keyword of the channels that matches the filters, in the
-- order of ties, at most `limit`. `{listed}` is one of campaigns.sql, adGroups.sql and
-- keywords.sql; `{sumsOfItems}` is sums.sql without any figures.
WITH
  sums AS ({sumsOfItems}),
  listed AS ({listed})
SELECT {texts}
FROM listed
ORDER BY {ties}
LIMIT {limit:Int32}
