-- One row per period and import of the economics whose events lie on the days from `first` to
-- `last`. The name of a unit begins with its period.
SELECT DISTINCT substring(unit, 11, 10) AS since, substring(unit, 22, 10) AS until, import_id
FROM finance_event
WHERE channel = {channel:Int32} AND source = 'economics'
  AND day >= {first:Date} AND day <= {last:Date}
ORDER BY since, until, import_id
