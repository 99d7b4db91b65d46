-- One row per partition of `keys` and import with figures: their first and last day.
SELECT report, import_id, min(since) AS since, max(day) AS day
FROM {table}
WHERE channel = {channel:Int32} AND in_list(report, {keys:Array(String)})
GROUP BY report, import_id
