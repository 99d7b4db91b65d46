-- One row per campaign, ad group or product of the channels, with its sums over the range.
-- Each channel has its own first and last day; the days from `innerFirst` to `innerLast` belong to
-- all of them. `{listed}` is one of campaigns.sql, adGroups.sql and products.sql.
WITH
  sums AS (
    SELECT channel, {attributes}, {sums}
    FROM {figures}
    WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}
      AND (
        (day >= {innerFirst:Date} AND day <= {innerLast:Date})
        OR (
          day >= {firsts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
          AND day <= {lasts:Array(Date)}[index_of({channels:Array(Int32)}, channel)]
        )
      )
      AND {filter}
    GROUP BY channel, {id}
  ),
  listed AS ({listed})
SELECT *, CAST(count(*) OVER () AS BIGINT) AS matching
FROM listed
ORDER BY {order}
LIMIT {limit:Int32} OFFSET {offset:Int64}
