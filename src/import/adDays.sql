-- One row per date range with figures that match `{condition}`, by campaign or ad group.
SELECT DISTINCT {id} AS id, since, day
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date} AND {condition}
