-- One row per order line, and per campaign and day. Run once in the database that Metabase opens;
-- `exports` is the folder above those of the channels.
create or replace view order_lines as
select regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id, * exclude (filename)
from read_parquet('exports/*/order_line.parquet', filename = true);

create or replace view campaign_days as
select regexp_extract(filename, '([^/]+)/[^/]+$', 1) as channel_id, * exclude (filename)
from read_parquet('exports/*/campaign_day.parquet', filename = true);
