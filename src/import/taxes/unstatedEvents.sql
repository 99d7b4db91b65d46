-- One row in all, if the channel has financial events whose tax no document states: the first and
-- the last instant of them.
SELECT min(posted_at) AS first_at, max(posted_at) AS last_at
FROM finance_event
WHERE channel = {channel:Int32} AND {isUnstatedEvent.sql}
HAVING count(*) > 0
