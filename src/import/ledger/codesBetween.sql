-- One row per code, line and currency of the financial events between two instants, without the
-- operator's own rows and the marks of superseded units.
SELECT
  source, code, line, currency,
  CAST(count(*) AS BIGINT) AS counted,
  sum(amount + tax) AS amount,
  min(posted_at) AS first_at,
  max(posted_at) AS last_at
FROM finance_event
WHERE channel = {channel:Int32}
  AND day >= {first:Date} AND day <= {last:Date}
  AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}
  AND source <> 'rows' AND code <> {marker:String}
GROUP BY source, code, line, currency
