/**
 * GET /advertising/campaigns and /products against statements by hand, in one run: five channels,
 * six months, 2,000 campaigns and 20,000 products, sorted and paged, in one currency and in three;
 * without a working set (cold) and with figures in memory (warm).
 * Then the same campaigns among a hundred times the facts of other channels and dates.
 * `node bench/advertising.ts [times=100]`
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { insertRecords } from './data.ts';
import { compare, measure, printHeadings, type Server, withServers } from './measure.ts';

const channels = 10;
const days = 181;
const campaigns = 400;
const products = 4_000;
/** 2025-01-01 to 2025-06-30 in every channel's calendar. */
const range = {
  fromDate: Date.UTC(2025, 0, 1, 12) / 1000,
  toDate: Date.UTC(2025, 5, 30, 12) / 1000,
};
const currencies = ['USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'GBP', 'USD', 'EUR'];
const turns = { rounds: 5, times: 5, warmUps: 1 };

const figures = (
  cost: string,
) => `1000 + n % 5000, 10 + n % 50, ${cost}, (n % 20000 + 100) / 100, (n % 9000) / 100, n % 7,
  n % 5, n % 9, n % 6, n % 3, n % 4, (n % 3000) / 100, n % 11`;
const columns = `impressions, clicks, cost, sales, sales_same_sku, conversions,
  conversions_same_sku, units, units_same_sku, orders_ntb, units_ntb, sales_ntb,
  detail_page_views, currency`;

/** Makes a data folder with `times` as many other campaign metrics as requested ones, unless it
 * exists. */
async function dataOf(times: number): Promise<string> {
  const folder = fileURLToPath(new URL(`data/advertising-${times}/`, import.meta.url));
  if (existsSync(join(folder, 'made'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const { key } = await insertRecords(
    registry,
    currencies.map((currency, place) => ({ channelId: `channel-${place}`, currency })),
  );
  await registry.close();
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  await warehouse.close();
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '2',
    memory_limit: '1GB',
  });
  const connection = await instance.connect();
  const campaignDays = (channel: number, currency: string, first: string, count: number) =>
    connection.run(`INSERT INTO campaign_day (channel, import_id, day, since, campaign_id,
      ad_type, report, ${columns})
      SELECT ${channel}, 1, DATE '${first}' + CAST(n // ${campaigns} AS INTEGER) AS day, day,
      CAST(400000000000 + n % ${campaigns} AS VARCHAR), 'SB', '',
        ${figures('(n % 4000 + 100) / 100')}, '${currency}'
        FROM range(${campaigns * count}) AS numbers(n) ORDER BY n`);
  for (const [place, currency] of currencies.entries()) {
    const channel = place + 1;
    await connection.run(`INSERT INTO campaign SELECT ${channel}, 1,
      CAST(400000000000 + n AS VARCHAR), 'Campaign ' || hash(n), 'SB', 'active', 'daily', 25,
        '2024-01-01', '', 'manual', 'manual', 'cpc', 1 FROM range(${campaigns}) AS numbers(n)`);
    if (times > 0) await campaignDays(channel, currency, '2023-01-01', 731);
    await campaignDays(channel, currency, '2025-01-01', days);
    if (times > 0) continue;
    await connection.run(`INSERT INTO ad_product_day (channel, import_id, day, since, product_id,
      sku, ad_type, ad_group_id, campaign_id, ${columns})
      SELECT ${channel}, 1, DATE '2025-01-01' + CAST(n // ${products} AS INTEGER) AS day, day,
      'B0' || CAST(10000000 + n % ${products} AS VARCHAR),
        'SKU-' || CAST(n % ${products} AS VARCHAR), 'SP', '', '',
      ${figures('(n % 4000 + 100) / 100')},
        '${currency}'
      FROM range(${products * days}) AS numbers(n) ORDER BY n`);
  }
  const foreign = 1000;
  const others = Math.round((times * 5 * days) / foreign);
  for (let other = 0; other < others; other++)
    await campaignDays(channels + 1 + other, 'USD', '2023-01-01', foreign);
  await connection.run(`INSERT INTO exchange_rate SELECT 0, 1,
    DATE '2022-12-01' + CAST(n AS INTEGER), currency, rate + n / 10000, ''
    FROM range(1100) AS numbers(n), (VALUES ('USD', 1.05), ('GBP', 0.83)) AS rates(currency,
    rate)`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(folder, 'made'), key);
  return folder;
}

/** The statement for this one answer: no other columns, no other sorting, rates at hand. */
const byHand = {
  campaigns: (isConverting: boolean) => {
    const money = (name: string) => (isConverting ? `CAST(${name} AS DOUBLE) * factor` : name);
    return `WITH sums AS (
        SELECT channel, campaign_id, sum(impressions) AS impressions, sum(clicks) AS clicks,
        sum(${money('cost')}) AS cost, sum(${money('sales')}) AS sales,
          sum(${money('sales_same_sku')}) AS sales_same_sku, sum(conversions) AS conversions,
          sum(conversions_same_sku) AS conversions_same_sku, sum(units) AS units,
          sum(units_same_sku) AS units_same_sku, sum(orders_ntb) AS orders_ntb,
          sum(units_ntb) AS units_ntb, sum(${money('sales_ntb')}) AS sales_ntb,
          sum(detail_page_views) AS detail_page_views
        FROM campaign_day ${isConverting ? 'JOIN rate USING (currency, day)' : ''}
        WHERE channel IN CHANNELS AND day BETWEEN DATE '2025-01-01' AND DATE '2025-06-30'
        GROUP BY channel, campaign_id)
      SELECT *, cost / nullif(sales, 0) AS acos, clicks / impressions AS ctr, cost / clicks AS cpc,
      cost / conversions AS cpa, conversions / clicks AS cvr,
        sales / cost AS roas, count(*) OVER () AS matching
      FROM campaign LEFT JOIN sums USING (channel, campaign_id) WHERE channel IN CHANNELS
      ORDER BY cost DESC, campaign_id LIMIT 50`;
  },
  products: (isConverting: boolean) => {
    const money = (name: string) => (isConverting ? `CAST(${name} AS DOUBLE) * factor` : name);
    return `WITH sums AS (
        SELECT channel, product_id, sum(impressions) AS impressions, sum(clicks) AS clicks,
        sum(${money('cost')}) AS cost, sum(${money('sales')}) AS sales,
          sum(${money('sales_same_sku')}) AS sales_same_sku, sum(conversions) AS conversions,
          sum(conversions_same_sku) AS conversions_same_sku, sum(units) AS units,
          sum(units_same_sku) AS units_same_sku
        FROM ad_product_day ${isConverting ? 'JOIN rate USING (currency, day)' : ''}
        WHERE channel IN CHANNELS AND day BETWEEN DATE '2025-01-01' AND DATE '2025-06-30'
        GROUP BY channel, product_id)
      SELECT *, cost / nullif(sales, 0) AS acos, clicks / impressions AS ctr, cost / clicks AS cpc,
      conversions / clicks AS cvr, sales / cost AS roas,
        count(*) OVER () AS matching
      FROM sums ORDER BY cost DESC, product_id LIMIT 50`;
  },
};
type ListName = keyof typeof byHand;

/** Fastify and DuckDB by hand. */
async function serveByHand(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '1',
    memory_limit: '256MB',
  });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE rate AS SELECT 'EUR' AS currency, day, per_euro AS factor
    FROM exchange_rate WHERE currency = 'USD'
    UNION ALL SELECT 'USD', day, 1 FROM exchange_rate WHERE currency = 'USD'
    UNION ALL SELECT 'GBP', day, usd.per_euro / gbp.per_euro FROM exchange_rate AS gbp
    JOIN exchange_rate AS usd USING (day)
      WHERE gbp.currency = 'GBP' AND usd.currency = 'USD'`);
  const server = Fastify();
  server.get<{ Params: { list: ListName; kind: string } }>(
    '/:list/:kind',
    async ({ params: { list, kind } }) => {
      const sql = byHand[list](kind === 'three').replaceAll(
        'CHANNELS',
        kind === 'three' ? '(6, 7, 8, 9, 10)' : '(1, 2, 3, 4, 5)',
      );
      return { data: (await (await connection.run(sql)).getRowObjectsJson()) as object[] };
    },
  );
  process.send!(await server.listen({ host: '127.0.0.1', port: 0 }));
}

/** The path of a request; those in turn differ in their page size, so none is a kept answer. */
const pathOf = (list: ListName, kind: 'one' | 'three', turn = 0) => {
  const first = kind === 'one' ? 0 : 5;
  const channels = Array.from(
    { length: 5 },
    (_, place) => `channelId=channel-${first + place}`,
  ).join('&');
  return `/advertising/${list}?${channels}&fromDate=${range.fromDate}&toDate=${range.toDate}&sortKey=cost&pageSize=${50 + (turn % 50)}`;
};

async function run(times: number): Promise<void> {
  const near = await dataOf(0);
  const far = await dataOf(times);
  await withServers(async (start) => {
    const bare = await start('advertising.ts', near, ['by-hand']);
    const cold = await start('service.ts', near, ['0']);
    const warm = await start('service.ts', near);
    const amid = await start('service.ts', far, ['0']);
    let sent = 0;
    const asking =
      (server: Server, pathAt: (turn: number) => string, folder?: string) => (count: number) => {
        const headers =
          folder === undefined ? {} : { 'x-api-key': readFileSync(join(folder, 'made'), 'utf8') };
        return measure(server, count, () => ({
          path: pathAt(sent++),
          init: { headers },
          holds: (text) => text.includes('impressions'),
        }));
      };
    printHeadings();
    for (const list of ['campaigns', 'products'] as const) {
      for (const kind of ['one', 'three'] as const) {
        const variants = {
          'by hand': asking(bare, () => `/${list}/${kind}`),
          'the service, cold': asking(cold, (turn) => pathOf(list, kind, turn), near),
          'the service, warm': asking(warm, (turn) => pathOf(list, kind, turn), near),
        };
        await compare(
          `${list}, ${kind === 'one' ? 'one currency' : 'three currencies'}`,
          variants,
          turns,
        );
      }
    }
    const path = () => pathOf('campaigns', 'one');
    await compare(
      'campaigns',
      {
        alone: asking(cold, path, near),
        [`amid ${times} times the facts`]: asking(amid, path, far),
      },
      turns,
    );
  });
}

if (process.argv[2] === 'by-hand') await serveByHand(process.argv[3]!);
else await run(Number(process.argv[2] ?? 100));
