-- One row per date range with figures that match `{condition}`, by campaign, ad group or keyword.
SELECT DISTINCT {id} AS id, since, day
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND since <= {last:Date} AND {condition}
