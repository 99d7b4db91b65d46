-- One row per order line of which this condition says that it was purchased from `from` until
-- `until`.
(purchased_at >= {from:Int64} AND purchased_at < {until:Int64})
