-- One row per campaign, ad group, keyword or product of a page of the list. `{inRange}` is the
-- condition on figures, `{listed}` one of the other bodies here. Of the figures only those are
-- summed that sort the list.
WITH
  sums AS (
    SELECT {columns}{sums}
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
