-- One row in all: the number of rows of `table` of a channel from `from` until `until`, with their
-- first and last instant. The UTC days from `first` to `last` have all of them.
SELECT CAST(count(*) AS BIGINT) AS found, min({instant}) AS first, max({instant}) AS last
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND {instant} >= {from:Int64} AND {instant} < {until:Int64}
