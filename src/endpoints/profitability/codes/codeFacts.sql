-- One row in all: the number of financial events of these channels with the code.
SELECT CAST(count(*) AS BIGINT) AS counted
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND source = {source:String} AND code = {code:String}
