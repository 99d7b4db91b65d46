/** The facts of bench/data.ts in the stores of the peers, with sums by day made from order lines. */
import { chmodSync, createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import { queryClickHouse } from '../../test/servers/clickhouse.ts';
import { queryPostgres } from '../../test/servers/postgres.ts';
import type { BenchData } from '../data.ts';
import { zone } from '../folders.ts';

/** The tables, with their columns for ClickHouse and for PostgreSQL. */
const tables: Readonly<Record<string, { readonly clickhouse: string; readonly postgres: string }>> =
  {
    order_line: {
      clickhouse: 'channel Int32, day Date, status String, units Int64, sales Decimal(18, 2)',
      postgres: `channel integer NOT NULL, day date NOT NULL, status text NOT NULL,
        units bigint NOT NULL, sales numeric(18, 2) NOT NULL`,
    },
    sales_day: {
      clickhouse: `channel Int32, day Date, line_items Int64, units Int64, sales Decimal(18, 2),
        page_views Int64, sessions Int64, impressions Int64, clicks Int64,
        ad_spend Decimal(18, 2), ad_sales Decimal(18, 2)`,
      postgres: `channel integer NOT NULL, day date NOT NULL, line_items bigint NOT NULL,
        units bigint NOT NULL, sales numeric(18, 2) NOT NULL, page_views bigint NOT NULL,
        sessions bigint NOT NULL, impressions bigint NOT NULL, clicks bigint NOT NULL,
        ad_spend numeric(18, 2) NOT NULL, ad_sales numeric(18, 2) NOT NULL`,
    },
    campaign_day: {
      clickhouse: `channel Int32, day Date, campaign_id String, impressions Int64, clicks Int64,
        cost Decimal(18, 2), sales Decimal(18, 2)`,
      postgres: `channel integer NOT NULL, day date NOT NULL, campaign_id text NOT NULL,
        impressions bigint NOT NULL, clicks bigint NOT NULL, cost numeric(18, 2) NOT NULL,
        sales numeric(18, 2) NOT NULL`,
    },
  };

/** Beside the data of the service, which is copied for each. */
const folderOf = ({ folder }: BenchData) => join(folder, '..', `peers-${basename(folder)}`);
const fileOf = (data: BenchData, table: string) => join(folderOf(data), `${table}.csv`);

/** Makes the database of drizzle-cube and a CSV file of each table, unless they exist. */
export async function makeDuckdb(data: BenchData): Promise<string> {
  const database = join(folderOf(data), 'peers.duckdb');
  if (existsSync(database)) return database;
  mkdirSync(folderOf(data), { recursive: true });
  const draft = `${database}.draft`;
  rmSync(draft, { force: true });
  const instance = await DuckDBInstance.create(draft, { threads: '2' });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(data.folder, 'warehouse.duckdb')}' AS facts (READ_ONLY)`);
  // Days are in the channels' zone, and channels are numbered as in their names.
  await connection.run(`CREATE TABLE order_line AS SELECT channel - 1 AS channel,
    CAST(timezone('${zone}', to_timestamp(purchased_at)) AS DATE) AS day, status,
    quantity AS units, CAST(item_price + item_tax AS DECIMAL(18, 2)) AS sales
    FROM facts.order_line ORDER BY channel, day`);
  await connection.run(`CREATE TABLE campaign_day AS SELECT channel - 1 AS channel, day,
    campaign_id, impressions, clicks, CAST(cost AS DECIMAL(18, 2)) AS cost,
    CAST(sales AS DECIMAL(18, 2)) AS sales
    FROM facts.campaign_day ORDER BY channel, day`);
  const amount = (sum: string) => `CAST(coalesce(${sum}, 0) AS DECIMAL(18, 2))`;
  const count = (sum: string) => `CAST(coalesce(${sum}, 0) AS BIGINT)`;
  await connection.run(`CREATE TABLE sales_day AS SELECT channel, day, line_items, units, sales,
    ${count('page_views')} AS page_views, ${count('sessions')} AS sessions,
    ${count('impressions')} AS impressions, ${count('clicks')} AS clicks,
    ${amount('ad_spend')} AS ad_spend, ${amount('ad_sales')} AS ad_sales
    FROM (SELECT channel, day, count(*) AS line_items, ${count('sum(units)')} AS units,
      ${amount('sum(sales)')} AS sales
      FROM order_line WHERE status <> 'Canceled' GROUP BY channel, day)
    LEFT JOIN (SELECT channel - 1 AS channel, day, sum(page_views) AS page_views,
      sum(sessions) AS sessions FROM facts.traffic GROUP BY ALL) USING (channel, day)
    LEFT JOIN (SELECT channel, day, sum(impressions) AS impressions, sum(clicks) AS clicks,
      sum(cost) AS ad_spend, sum(sales) AS ad_sales FROM campaign_day GROUP BY ALL)
      USING (channel, day)
    ORDER BY channel, day`);
  for (const table of Object.keys(tables))
    await connection.run(`COPY ${table} TO '${fileOf(data, table)}' (HEADER false)`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  renameSync(draft, database);
  return database;
}

/** Loads ClickHouse, each table in the order that its questions select by. */
export async function fillClickHouse(url: string, data: BenchData): Promise<void> {
  const { origin, username, password, pathname } = new URL(url);
  for (const [table, { clickhouse }] of Object.entries(tables)) {
    await queryClickHouse(
      url,
      `CREATE TABLE ${table} (${clickhouse}) ENGINE = MergeTree ORDER BY (channel, day)`,
    );
    const words = new URLSearchParams({
      database: pathname.slice(1),
      query: `INSERT INTO ${table} FORMAT CSV`,
    });
    const answer = await fetch(`${origin}/?${words}`, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
      body: Readable.toWeb(createReadStream(fileOf(data, table))) as ReadableStream,
      duplex: 'half',
    });
    if (!answer.ok) throw new Error(await answer.text());
    await queryClickHouse(url, `OPTIMIZE TABLE ${table} FINAL`);
  }
}

const condition = 'channel = channel_number AND day BETWEEN from_day AND to_day';
const parameters = 'channel_number integer, from_day date, to_day date';

/** Loads PostgreSQL, with indexes that cover the questions, and functions for sums. */
export async function fillPostgres(url: string, data: BenchData): Promise<void> {
  for (const [table, { postgres }] of Object.entries(tables)) {
    const file = fileOf(data, table);
    chmodSync(file, 0o644);
    await queryPostgres(url, `CREATE TABLE ${table} (${postgres})`);
    await queryPostgres(url, `COPY ${table} FROM '${file}' (FORMAT csv)`);
  }
  for (const statement of [
    'ALTER TABLE sales_day ADD PRIMARY KEY (channel, day)',
    'CREATE INDEX ON order_line (channel, day) INCLUDE (status, units, sales)',
    `CREATE INDEX ON campaign_day (channel, day)
      INCLUDE (campaign_id, impressions, clicks, cost, sales)`,
    'CREATE TYPE sales_fact AS (day date, line_items bigint, units bigint, sales numeric)',
    `CREATE FUNCTION sales_facts(${parameters}) RETURNS SETOF sales_fact LANGUAGE sql STABLE AS $$
      SELECT day, count(*), CAST(sum(units) AS bigint), sum(sales)
      FROM order_line WHERE ${condition} AND status <> 'Canceled' GROUP BY day ORDER BY day $$`,
    `CREATE FUNCTION sales_sums(${parameters}) RETURNS SETOF sales_day LANGUAGE sql STABLE AS $$
      SELECT * FROM sales_day WHERE ${condition} ORDER BY day $$`,
    `CREATE TYPE campaign_sum AS (campaign_id text, impressions bigint, clicks bigint,
      cost numeric, sales numeric)`,
    `CREATE FUNCTION campaigns(${parameters}) RETURNS SETOF campaign_sum LANGUAGE sql STABLE AS $$
      SELECT campaign_id, CAST(sum(impressions) AS bigint), CAST(sum(clicks) AS bigint),
        sum(cost), sum(sales)
      FROM campaign_day WHERE ${condition} GROUP BY campaign_id
      ORDER BY sum(cost) DESC LIMIT 50 $$`,
    'VACUUM ANALYZE',
  ])
    await queryPostgres(url, statement);
}
