-- One row in all: how many facts of the days from `first` to `last` have more detail than `detail`,
-- with the most of theirs, the first and the last of their days, and one of their imports.
SELECT
  CAST(count(*) AS BIGINT) AS rows_found, max({details}) AS most, min(day) AS first_day,
  max(day) AS last_day, max(import_id) AS import_id
FROM {table}
WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}
  AND matches({partition}, {parts:Array(String)}) AND {details} > {detail:Int32}
