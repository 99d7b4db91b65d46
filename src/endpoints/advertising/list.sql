-- One row per campaign, ad group or product of the channels, with its sums over the range.
-- `{inRange}` is the condition on figures, `{listed}` one of campaigns.sql, adGroups.sql and
-- products.sql. What `{shown}` leaves out is computed only to sort by it.
WITH
  sums AS (
    SELECT channel, {attributes}, {sums}
    FROM {figures}
    WHERE {inRange}
      AND {filter}
    GROUP BY channel, {id}
  ),
  listed AS ({listed})
SELECT {shown}, CAST(count(*) OVER () AS BIGINT) AS matching
FROM listed
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
