-- The condition that a date is in the period or in the comparison period, which is the period
-- itself where there is no other: the part `inWindows` of questions.
(
  (day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date})
)
