-- One row in all: the number of facts on the days from `first` to `last` with more detail than
-- `detail`, their most detailed level, their first and last day, and one of their imports.
SELECT
  CAST(count(*) AS BIGINT) AS rows_found, max(greatest({details})) AS most, min(day) AS first_day,
  max(day) AS last_day, max(import_id) AS import_id
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches({partition}, {parts:Array(String)}) AND greatest({details}) > {detail:Int32}
