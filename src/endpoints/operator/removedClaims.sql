-- One row in all: the number of claims of financial sources on instants from `from` until `until`.
SELECT CAST(count(*) AS BIGINT) AS found
FROM finance_claim
WHERE channel = {channel:Int32} AND from_at >= {from:Int64} AND to_at < {until:Int64}
