-- One row in all: how many financial events of these channels have the code.
SELECT CAST(count(*) AS BIGINT) AS counted
FROM finance_event
WHERE one_of(channel, {channels:Array(Int32)})
  AND source = {source:String} AND code = {code:String}
