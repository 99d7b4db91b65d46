/**
 * Profit and loss against statements by hand, in one run: 10 million financial events of one
 * channel in a year, 20,000 SKUs with unit costs, the store's year and pages of its products. By
 * hand is the best single statement for the one answer, over the rollup and over the events.
 * `node bench/profitAndLoss.ts [events=10000000] [skus=20000]`
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { insertRecords, merchantId, zone } from './data.ts';
import {
  type BenchRequest,
  compare,
  measure,
  printHeadings,
  type Variants,
  withServers,
} from './measure.ts';

const turns = { rounds: 5, times: 10, warmUps: 3 };
const year = { from: Date.UTC(2025, 0, 1, 8) / 1000, to: Date.UTC(2026, 0, 1, 8) / 1000 - 1 };
/** The rows of an order: sale, commission, fulfilment, and sometimes another. */
const rowsPerOrder = 4;

const figures = [
  'sales',
  'promotions',
  'refunds',
  'reimbursements',
  'other_income',
  'advertising',
  'selling_fees',
  'shipping_fees',
  'overheads',
  'other_expenses',
  'cogs',
];
const lines = [
  'sales',
  'promotions',
  'refunds',
  'reimbursements',
  'otherIncome',
  'advertisingSpend',
  'sellingFees',
  'shippingFees',
  'refundsAndReturnsOverheads',
  'otherExpenses',
];

/** The size of the data. */
type Size = { readonly events: number; readonly skus: number };

/** Makes the data folder unless it exists. */
async function makeData({ events, skus }: Size): Promise<string> {
  const folder = fileURLToPath(new URL(`data/profit-${events}-${skus}/`, import.meta.url));
  if (existsSync(join(folder, 'made'))) return folder;
  console.log(
    `Making the data set (once): ${events.toLocaleString('en')} events of ${skus.toLocaleString('en')} SKUs ...`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const { key, inserted } = await insertRecords(registry, [
    { channelId: 'channel', currency: 'USD' },
  ]);
  await registry.close();
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  await warehouse.close();
  const channel = inserted[0]!.channelNumber;
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '2',
    memory_limit: '1GB',
  });
  const connection = await instance.connect();
  const orders = events / rowsPerOrder;
  const portion = orders / 12;
  for (let month = 0; month < 12; month++) {
    // A few SKUs sell most. Every 20th order is refunded; one row in a thousand has no SKU.
    await connection.run(`INSERT INTO finance_event (channel, import_id, day, unit, number, source,
      transaction_id, revision, posted_at, sku, order_id, line, code, amount, tax, quantity,
      fulfillment, currency)
      SELECT ${channel}, 1, CAST(make_timestamp(posted_at * 1000000) AS DATE),
      'rows:' || n || '-' || part, 1, 'rows', '', 0, posted_at,
        CASE WHEN part = 3 AND n % 250 = 0 THEN '' ELSE sku END, '111-' || n,
        CASE part WHEN 0 THEN 'sales' WHEN 1 THEN 'sellingFees' WHEN 2 THEN 'shippingFees'
        ELSE CASE WHEN n % 5 = 0 THEN 'refunds' WHEN n % 5 = 1 THEN 'promotions' WHEN n % 5 = 2
        THEN 'otherIncome' WHEN n % 5 = 3 THEN 'advertisingSpend' ELSE 'otherExpenses' END END,
        'code', CASE part WHEN 0 THEN price WHEN 1 THEN -price * 0.15 WHEN 2 THEN -3.45 ELSE CASE
        WHEN n % 5 = 2 THEN 4.99 ELSE -price * 0.2 END END,
        CASE part WHEN 0 THEN price * 0.08 ELSE 0 END, CASE WHEN part = 0 OR (part = 3
        AND n % 5 = 0) THEN 1 ELSE 0 END, 'AFN', 'USD'
      FROM (SELECT n, ${year.from} + CAST(n * ${(year.to - year.from) / orders} AS BIGINT) AS posted_at, (hash(n) % 9000 + 500) / 100 AS price,
              'SKU-' || CAST(floor(${skus} * pow((hash(n + 7) % 1000003) / 1000003,
              2)) AS INTEGER) AS sku
            FROM range(${Math.floor(month * portion)},
            ${Math.floor((month + 1) * portion)}) AS orders(n)) AS made,
            range(${rowsPerOrder}) AS parts(part)
      ORDER BY posted_at`);
  }
  await connection.run(`INSERT INTO unit_cost SELECT ${channel}, 1, 'SKU-' || n, day,
    (n % 3000 + 100) / 100, 'USD', 0, 'USD'
    FROM range(${skus}) AS numbers(n), (VALUES (DATE '2024-01-01'),
    (DATE '2025-07-01')) AS days(day)`);
  await connection.run(`INSERT INTO product (channel, import_id, sku, product_id, parent_product_id,
    title, brand, image_url, link_url, price, units_per_case, fulfilled_by_marketplace)
    SELECT ${channel}, 1, 'SKU-' || n, 'B' || n, '', 'Product ' || n, '', '', '', 10, 0, 1
    FROM range(${skus}) AS numbers(n)`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  const filled = await openDuckdb(folder);
  const start = performance.now();
  await filled.rebuild({ importId: 2, channel }, zone);
  console.log(`Made the rollups in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await filled.close();
  writeFileSync(join(folder, 'made'), key);
  return folder;
}

const sums = figures.map((name) => `sum(${name}) AS ${name}`).join(', ');
const costs = `costs AS (SELECT sku AS cost_sku, effective_from, lead(effective_from, 1,
    DATE '2299-12-31') OVER (PARTITION BY sku ORDER BY effective_from) AS until, cogs AS unit_cost
    FROM unit_cost WHERE channel = 1)`;
/** The statements for this one answer, in one currency. */
const byHand: Readonly<Record<string, string>> = {
  'store by rollup': `SELECT ${sums} FROM profit_slot WHERE channel = 1 AND day BETWEEN DATE '2025-01-01' AND DATE '2026-01-01' AND slot_at BETWEEN ${year.from} AND ${year.to}`,
  'store by events': `WITH ${costs}
    SELECT ${lines.map((line) => `sum(CASE WHEN line = '${line}' THEN amount ELSE 0 END) AS "${line}"`).join(', ')},
      (SELECT sum(quantity * unit_cost) FROM finance_event AS e JOIN costs AS c
      ON c.cost_sku = e.sku AND e.day >= c.effective_from AND e.day < c.until
       WHERE channel = 1 AND line = 'sales' AND posted_at BETWEEN ${year.from}
       AND ${year.to}) AS cogs
    FROM finance_event WHERE channel = 1 AND posted_at BETWEEN ${year.from} AND ${year.to}`,
  'products by rollup': `WITH ${costs}, page AS (SELECT sku, sum(sales) AS ranked_by,
    count(*) OVER () AS matching FROM profit_product_day
      WHERE channel = 1 AND day BETWEEN DATE '2025-01-01' AND DATE '2025-12-31' GROUP BY sku
      ORDER BY ranked_by DESC, sku LIMIT 50 OFFSET {offset})
    SELECT sku, any_value(matching) AS matching, any_value(title) AS title, ${sums},
      sum(units_sold * unit_cost) AS cost_of_goods
    FROM profit_product_day JOIN page USING (sku) LEFT JOIN product USING (sku)
    LEFT JOIN costs ON cost_sku = sku AND day >= effective_from AND day < until
    WHERE profit_product_day.channel = 1 AND day BETWEEN DATE '2025-01-01' AND DATE '2025-12-31'
    GROUP BY sku`,
};

/** Fastify and DuckDB by hand. */
async function serveByHand(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '1',
    memory_limit: '256MB',
  });
  const connection: DuckDBConnection = await instance.connect();
  const server = Fastify();
  server.get<{ Params: { name: string; offset: string } }>(
    '/:name/:offset',
    async ({ params: { name, offset } }) => {
      const rows = await (
        await connection.run(byHand[name]!.replace('{offset}', offset))
      ).getRowObjects();
      return rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            typeof value === 'string' ? value : Math.round(Number(String(value)) * 100) / 100,
          ]),
        ),
      );
    },
  );
  process.send!(await server.listen({ host: '127.0.0.1', port: 0 }));
}

async function run(size: Size): Promise<void> {
  const folder = await makeData(size);
  await withServers(async (start) => {
    const bare = await start('profitAndLoss.ts', folder, ['by-hand']);
    const service = await start('service.ts', folder, ['0']);
    const headers = {
      'x-api-key': readFileSync(join(folder, 'made'), 'utf8'),
      'content-type': 'application/json',
    };
    const post = (path: string, reportOptions: object): BenchRequest => ({
      path: `/profitability/${path}`,
      init: {
        method: 'POST',
        headers,
        body: JSON.stringify({ channelId: 'channel', merchantId, reportOptions }),
      },
    });
    const dates = { fromDate: year.from, toDate: year.to };
    const utcYear = {
      fromDate: Date.UTC(2025, 0, 1) / 1000,
      toDate: Date.UTC(2026, 0, 1) / 1000 - 1,
    };
    const byHandAt = (name: string) => (count: number) =>
      measure(bare, count, (place) => ({ path: `/${encodeURIComponent(name)}/${place * 50}` }));
    const groups: Record<string, Variants> = {
      'the store, a year': {
        'by hand, rollup': byHandAt('store by rollup'),
        'by hand, events': (count) => byHandAt('store by events')(Math.ceil(count / 10)),
        'the service, UTC': (count) =>
          measure(service, count, () => post('storeProfitAndLoss', dates)),
        'the service, Los Angeles': (count) =>
          measure(service, count, () => post('storeProfitAndLoss', { ...dates, timezone: zone })),
      },
      'a page of 50 products': {
        'by hand, rollup': byHandAt('products by rollup'),
        'the service': (count) =>
          measure(service, count, (place) =>
            post('productProfitAndLoss', { ...utcYear, pageSize: 50, pageIndex: place }),
          ),
      },
    };
    printHeadings();
    for (const [group, variants] of Object.entries(groups)) await compare(group, variants, turns);
  });
}

if (process.argv[2] === 'by-hand') await serveByHand(process.argv[3]!);
else
  await run({
    events: Number(process.argv[2] ?? 10_000_000),
    skus: Number(process.argv[3] ?? 20_000),
  });
