-- One row in all, if the channel has prices in `{table}` whose tax neither a document nor a rate
-- states: the first and the last instant of them.
SELECT min({instant}) AS first_at, max({instant}) AS last_at
FROM {table}
WHERE channel = {channel:Int32} AND {isUnstated} AND NOT {isRated}
HAVING count(*) > 0
