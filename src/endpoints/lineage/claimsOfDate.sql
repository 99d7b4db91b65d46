-- One row per claim on instants of a date: the source that another one supersedes, and the import
-- that made the claim. A document makes only a few claims, so a channel has few.
SELECT superseded, source, import_id
FROM finance_claim
WHERE channel = {channel:Int32} AND from_at <= {to:Int64} AND to_at >= {from:Int64}
