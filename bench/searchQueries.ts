/**
 * GET /search-query-performance/asins against statements by hand, in one run: 500 products x 200
 * queries x 24 months of one channel (2.4 million rows), a year and the year before, a page of 50
 * sorted by six columns in turn, in one currency and converted.
 * `node bench/searchQueries.ts`
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import { rollups } from '../schema/warehouse/tables.ts';
import { countNames } from '../src/endpoints/search-query-performance/figures.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { insertRecords, merchantId, zone } from './data.ts';
import {
  compare,
  type Measured,
  measure,
  printHeadings,
  type Server,
  type Variants,
  withServers,
} from './measure.ts';

const products = 500;
const queries = 200;
const months = 24;
/** Other channels, each with as many rows in the rollup. */
const others = 9;
const turns = { rounds: 5, times: 10, warmUps: 3 };
const pageSize = 50;

const periods = {
  fromDate: Date.UTC(2025, 0, 15) / 1000,
  toDate: Date.UTC(2025, 11, 15) / 1000,
  priorFromDate: Date.UTC(2024, 0, 15) / 1000,
  priorToDate: Date.UTC(2024, 11, 15) / 1000,
};

/** Makes the data folder unless it exists. */
async function makeData(): Promise<string> {
  const folder = fileURLToPath(new URL('data/searchQueries/', import.meta.url));
  if (existsSync(join(folder, 'made'))) return folder;
  console.log(
    `Making the data set (once): ${products} products x ${queries} queries x ${months} months ...`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const { key } = await insertRecords(
    registry,
    [{ channelId: 'channel', currency: 'USD' }],
    products,
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
  const figures = countNames
    .map(
      (_, place) =>
        `(hash(n * 16 + ${place}) % ${[900, 9_000, 300, 900, 60, 400, 20, 200, 9][place]})::BIGINT`,
    )
    .join(', ');
  const rows = products * queries;
  for (let month = 0; month < months; month++) {
    await connection.run(`INSERT INTO search_query (channel, import_id, day, asin, search_query,
      ${countNames.join(', ')}, total_median_purchase_price,
        median_purchase_price, median_click_price, currency)
      SELECT 1, 1, CAST(DATE '2024-01-01' + INTERVAL ${month} MONTH AS DATE),
      'B0' || CAST(10000000 + n % ${products} AS VARCHAR), 'query ' || n, ${figures},
        (n % 9000 + 500) / 100, CASE WHEN n % 5 = 0 THEN 0 ELSE (n % 7000 + 500) / 100 END,
        (n % 8000 + 500) / 100, 'USD'
      FROM range(${month * rows}, ${(month + 1) * rows}) AS numbers(n)`);
  }
  const columns = Object.keys(rollups.find(({ name }) => name === 'search_month')!.columns).join(
    ', ',
  );
  const price =
    'CASE WHEN median_purchase_price > 0 THEN median_purchase_price WHEN total_median_purchase_price > 0 THEN total_median_purchase_price ELSE median_click_price END';
  for (let channel = 1; channel <= 1 + others; channel++) {
    await connection.run(`INSERT INTO search_month (channel, import_id, ${columns})
      SELECT ${channel}, 1, day, asin, currency,
      ${countNames.map((name) => `sum(${name})`).join(', ')},
      sum(purchases * ${price}),
        sum(total_purchases * total_median_purchase_price)
      FROM search_query GROUP BY day, asin, currency ORDER BY day, asin`);
  }
  await connection.run(`INSERT INTO exchange_rate SELECT 0, 1,
    DATE '2023-12-01' + CAST(n AS INTEGER), currency, rate + n / 10000, ''
    FROM range(800) AS numbers(n), (VALUES ('USD', 1.05), ('GBP', 0.83)) AS rates(currency, rate)`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(folder, 'made'), key);
  return folder;
}

/** Sort columns, each with its expression by hand. */
const sorts: Readonly<Record<string, string>> = {
  searchQueryVolume: 'sum(search_query_volume)',
  asin: 'asin',
  impressionShare: 'sum(impressions) / sum(total_impressions)',
  cvr: 'sum(purchases) / sum(clicks)',
  currentRevenue: 'sum(revenue)',
  opportunity: 'greatest(sum(total_revenue) - sum(revenue), 0)',
};

/**
 * The statement for this one answer: no cap, no count, rates at hand, ratios left to the caller.
 */
function byHand(
  table: 'search_month' | 'search_query',
  isConverting: boolean,
  order: string,
): string {
  const price =
    'CASE WHEN median_purchase_price > 0 THEN median_purchase_price WHEN total_median_purchase_price > 0 THEN total_median_purchase_price ELSE median_click_price END';
  const plain =
    table === 'search_month'
      ? { revenue: 'revenue', total_revenue: 'total_revenue' }
      : {
          revenue: `purchases * ${price}`,
          total_revenue: 'total_purchases * total_median_purchase_price',
        };
  const money = (name: keyof typeof plain) =>
    `sum(${isConverting ? `CAST(${plain[name]} AS DOUBLE) * factor` : plain[name]})`;
  const sorted = order
    .replace('sum(total_revenue)', money('total_revenue'))
    .replace('sum(revenue)', money('revenue'));
  const from = `FROM ${table} ${isConverting ? 'JOIN month_rate USING (currency, day)' : ''} WHERE channel = 1`;
  return `WITH shown AS (
      SELECT asin ${from} AND day BETWEEN DATE '2025-01-01' AND DATE '2025-12-31' GROUP BY asin
      ORDER BY ${sorted}, asin LIMIT ${pageSize})
    SELECT asin, day >= DATE '2025-01-01' AS is_current,
    ${countNames.map((name) => `sum(${name}) AS ${name}`).join(', ')},
      ${money('revenue')} AS revenue, ${money('total_revenue')} AS total_revenue
    ${from} AND day BETWEEN DATE '2024-01-01' AND DATE '2025-12-31' AND asin IN (SELECT asin
    FROM shown) GROUP BY ALL`;
}

async function answerByHand(connection: DuckDBConnection, sql: string): Promise<object> {
  const rows = await (await connection.run(sql)).getRowObjects();
  const data = new Map<string, Record<string, object>>();
  for (const row of rows) {
    const number = (name: string) => Number(row[name]);
    const percent = (part: string, whole: string) =>
      number(whole) > 0 ? Math.round((number(part) / number(whole)) * 10_000) / 100 : 0;
    const money = (name: string) => Math.round(Number(String(row[name])) * 100) / 100;
    const found = data.get(row.asin as string) ?? {};
    data.set(row.asin as string, found);
    found[row.is_current === true ? 'current' : 'prior'] = {
      ...Object.fromEntries(countNames.map((name) => [name, number(name)])),
      impressionShare: percent('impressions', 'total_impressions'),
      clickShare: percent('clicks', 'total_clicks'),
      totalCtr: percent('total_clicks', 'total_impressions'),
      ctr: percent('clicks', 'impressions'),
      atcRate: percent('cart_adds', 'clicks'),
      purchaseShare: percent('purchases', 'total_purchases'),
      totalCvr: percent('total_purchases', 'total_clicks'),
      cvr: percent('purchases', 'clicks'),
      currentRevenue: money('revenue'),
      totalOpportunity: money('total_revenue'),
      opportunity: Math.max(0, money('total_revenue') - money('revenue')),
      currencyCode: 'USD',
    };
  }
  return { data: [...data].map(([asin, both]) => ({ asin, ...both })) };
}

/** Fastify and DuckDB by hand. */
async function serveByHand(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '1',
    memory_limit: '256MB',
  });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE month_rate AS SELECT 'USD' AS currency,
    CAST(date_trunc('month', day) AS DATE) AS day, avg(gbp.per_euro / usd.per_euro) AS factor
    FROM exchange_rate AS usd JOIN exchange_rate AS gbp USING (day) WHERE usd.currency = 'USD'
    AND gbp.currency = 'GBP' GROUP BY ALL`);
  const server = Fastify();
  server.get<{ Params: { table: string; kind: string; sort: string } }>(
    '/:table/:kind/:sort',
    ({ params: { table, kind, sort } }) =>
      answerByHand(
        connection,
        byHand(table as 'search_month' | 'search_query', kind === 'GBP', sorts[sort]!),
      ),
  );
  process.send!(await server.listen({ host: '127.0.0.1', port: 0 }));
}

/** Requests each sort order `times` times. */
function measureSorts(
  server: Server,
  times: number,
  headers: Record<string, string>,
  pathOf: (sort: string) => string,
): Promise<Measured> {
  const names = Object.keys(sorts);
  return measure(server, times * names.length, (place) => ({
    path: pathOf(names[place % names.length]!),
    init: { headers },
    holds: (text) => text.split('"asin"').length === pageSize + 1,
  }));
}

async function run(): Promise<void> {
  const folder = await makeData();
  await withServers(async (start) => {
    const bare = await start('searchQueries.ts', folder, ['by-hand']);
    const service = await start('service.ts', folder, ['0']);
    const warm = await start('service.ts', folder);
    let sent = 0;
    const headers = { 'x-api-key': readFileSync(join(folder, 'made'), 'utf8') };
    const query = new URLSearchParams({
      channelId: 'channel',
      merchantId,
      timezone: zone,
      pageSize: String(pageSize),
    });
    for (const [name, date] of Object.entries(periods)) query.set(name, String(date));
    printHeadings();
    for (const currency of ['USD', 'GBP']) {
      const variants: Variants = {
        'by hand, rollup': (times) =>
          measureSorts(bare, times, {}, (sort) => `/search_month/${currency}/${sort}`),
        'by hand, raw rows': (times) =>
          measureSorts(
            bare,
            Math.ceil(times / 10),
            {},
            (sort) => `/search_query/${currency}/${sort}`,
          ),
        'the service, cold': (times) =>
          measureSorts(
            service,
            times,
            headers,
            (sort) =>
              `/search-query-performance/asins?${query}&currency=${currency}&sortKey=${sort}`,
          ),
        'the service, from memory': (times) =>
          measureSorts(warm, times, headers, (sort) => {
            // Whole answers are kept too, so no request comes twice; the months stay the same.
            const varied = new URLSearchParams(query);
            varied.set('fromDate', String(periods.fromDate + sent++));
            return `/search-query-performance/asins?${varied}&currency=${currency}&sortKey=${sort}`;
          }),
      };
      await compare(currency, variants, turns);
    }
  });
}

if (process.argv[2] === 'by-hand') await serveByHand(process.argv[3]!);
else await run();
