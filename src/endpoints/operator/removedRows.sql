-- One row in all: the number of rows of `table` of a channel that `imports` brought, or of all rows
-- where it is empty, with their first and last day or instant if they have any.
SELECT {sums}
FROM {table}
WHERE channel = {channel:Int32} AND matches(import_id, {imports:Array(Int64)})
