-- One row per claim on the instants of one of these sources.
SELECT unit, source, from_at, to_at
FROM finance_claim
WHERE channel = {channel:Int32} AND one_of(superseded, {keys:Array(String)})
