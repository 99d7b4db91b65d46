-- One row per campaign, ad group or keyword of the channels that is known and matches the filters,
-- in the order of ties, at most `limit`: the rows of campaigns.sql, adGroups.sql or keywords.sql in
-- a range without days.
WITH
  sums AS ({sums.sql}),
  listed AS {listed}
SELECT {columns}
FROM listed
ORDER BY {order}
LIMIT {limit:Int32}
