/**
 * Profit and loss against statements by hand, in one run: 10 million financial events of one
 * channel in a year, 20,000 SKUs with unit costs, the store's year and pages of its products. By
 * hand is the best single statement for the one answer, over the rollup and over the events.
 * `node bench/profitAndLoss.ts [events=10000000] [skus=20000] [group]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import { merchantId, zone } from './data.ts';
import { type FinanceSize, financeData, year } from './financeData.ts';
import {
  type BenchRequest,
  compare,
  measure,
  printHeadings,
  type Variants,
  withServers,
} from './measure.ts';

const turns = { rounds: 5, times: 10, warmUps: 3 };
const secondsPerDay = 86_400;
/** Ranges that differ. */
const rangesMax = 200;

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

const sums = figures.map((name) => `sum(${name}) AS ${name}`).join(', ');
const costs = `costs AS (SELECT sku AS cost_sku, effective_from, lead(effective_from, 1,
    DATE '2299-12-31') OVER (PARTITION BY sku ORDER BY effective_from) AS until, cogs AS unit_cost
    FROM unit_cost WHERE channel = 1)`;
/**
 * Profit by the days of the channel's zone: sums of the rollup, and sales of events of SKUs without
 * a unit cost. The clocks of Los Angeles change twice in the year.
 */
function daysByHand(winter: number, summer: number): string {
  const localDay = (instant: string) => `DATE '1970-01-01' + CAST((${instant} + CASE
    WHEN ${instant} >= 1741514400 AND ${instant} < 1762074000 THEN ${summer} ELSE ${winter} END)
    // 86400 AS INTEGER)`;
  return `WITH lines AS (SELECT ${localDay('slot_at')} AS local, ${sums} FROM profit_slot
      WHERE channel = 1 AND day BETWEEN DATE '2025-01-01' AND DATE '2026-01-01'
      AND slot_at BETWEEN ${year.from} AND ${year.to} GROUP BY local),
    uncosted AS (SELECT ${localDay('posted_at')} AS local, sum(amount) AS uncosted,
      count(DISTINCT sku) FILTER (WHERE sku <> '') AS products FROM finance_event
      WHERE channel = 1 AND day BETWEEN DATE '2025-01-01' AND DATE '2026-01-01'
      AND posted_at BETWEEN ${year.from} AND ${year.to} AND line = 'sales'
      AND sku NOT IN (SELECT sku FROM unit_cost WHERE channel = 1
        AND effective_from <= DATE '2025-01-01') GROUP BY local)
    SELECT * FROM lines LEFT JOIN uncosted USING (local) ORDER BY local`;
}

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
  'days by rollup and events': daysByHand(-28_800, -25_200),
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

async function run(size: FinanceSize): Promise<void> {
  const folder = await financeData(size);
  await withServers(async (start) => {
    const bare = await start('profitAndLoss.ts', folder, ['by-hand']);
    const service = await start('service.ts', folder, ['0']);
    const warm = await start('service.ts', folder);
    const headers = {
      'x-api-key': readFileSync(join(folder, 'made'), 'utf8'),
      'content-type': 'application/json',
    };
    const post = (path: string, reportOptions: object): BenchRequest => ({
      path,
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
    let sent = 0;
    /** Ranges that begin some days later than the last one: days are in memory, answers are not. */
    const laterDates = () => ({
      ...dates,
      fromDate: dates.fromDate + (sent++ % rangesMax) * secondsPerDay,
      timezone: zone,
    });
    const byHandAt = (name: string) => (count: number) =>
      measure(bare, count, (place) => ({ path: `/${encodeURIComponent(name)}/${place * 50}` }));
    const groups: Record<string, Variants> = {
      'the store, a year': {
        'by hand, rollup': byHandAt('store by rollup'),
        'by hand, events': (count) => byHandAt('store by events')(Math.ceil(count / 10)),
        'the service, UTC': (count) =>
          measure(service, count, () => post('/profitability/storeProfitAndLoss', dates)),
        'the service, Los Angeles': (count) =>
          measure(service, count, () =>
            post('/profitability/storeProfitAndLoss', { ...dates, timezone: zone }),
          ),
        'the service, Los Angeles, from memory': (count) =>
          measure(warm, count, () => post('/profitability/storeProfitAndLoss', laterDates())),
      },
      'the store, a year by days': {
        'by hand, rollup and events': byHandAt('days by rollup and events'),
        'the service, Los Angeles': (count) =>
          measure(service, count, () =>
            post('/reports/view/profitByPeriod', { ...dates, timezone: zone, interval: 'd' }),
          ),
        'the service, Los Angeles, from memory': (count) =>
          measure(warm, count, () =>
            post('/reports/view/profitByPeriod', { ...laterDates(), interval: 'd' }),
          ),
      },
      'a page of 50 products': {
        'by hand, rollup': byHandAt('products by rollup'),
        'the service': (count) =>
          measure(service, count, (place) =>
            post('/profitability/productProfitAndLoss', {
              ...utcYear,
              pageSize: 50,
              pageIndex: place,
            }),
          ),
      },
    };
    printHeadings();
    const only = process.argv[4];
    for (const [group, variants] of Object.entries(groups))
      if (only === undefined || group === only) await compare(group, variants, turns);
  });
}

if (process.argv[2] === 'by-hand') await serveByHand(process.argv[3]!);
else
  await run({
    events: Number(process.argv[2] ?? 10_000_000),
    skus: Number(process.argv[3] ?? 20_000),
  });
