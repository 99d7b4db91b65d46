-- One row per row of `{table}` that has one of the new ids in `{id}`: its day and its id.
SELECT day, {id}
FROM {table}
WHERE channel = {channel:Int32} AND one_of({id}, {newIds:Array(String)})
