/**
 * Profit and loss against statements by hand, in one run: 10 million financial events of one
 * channel in a year, 20,000 SKUs with unit costs, the store's year and pages of its products. The
 * statement by hand is the best single one for the answer, over the rollup and over the events.
 * `node bench/profitAndLoss.ts [events=10000000] [skus=20000] [group]`
 */
import { type HandMade, serveOrRun } from './byHand.ts';
import { type FinanceSize, financeData, year } from './financeData.ts';
import { merchantId, zone } from './folders.ts';
import {
  type BenchRequest,
  compare,
  measure,
  printHeadings,
  type Server,
  type Variants,
  withThree,
} from './measure.ts';

const turns = { rounds: 5, times: 10, warmUps: 3 };
const secondsPerDay = 86_400;
/** Ranges that differ. */
const rangesMax = 200;

const figures = [
  ...['sales', 'promotions', 'refunds', 'reimbursements', 'other_income', 'advertising'],
  ...['selling_fees', 'shipping_fees', 'overheads', 'other_expenses', 'cogs'],
];
const lines = [
  ...['sales', 'promotions', 'refunds', 'reimbursements', 'otherIncome', 'advertisingSpend'],
  ...['sellingFees', 'shippingFees', 'refundsAndReturnsOverheads', 'otherExpenses'],
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

/** The statements for just this answer, in one currency. */
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

const handMade: HandMade = {
  routes: {
    async '/:name/:offset'(connection, { name, offset }) {
      const answer = await connection.run(byHand[name!]!.replace('{offset}', offset!));
      return (await answer.getRowObjects()).map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            typeof value === 'string' ? value : Math.round(Number(String(value)) * 100) / 100,
          ]),
        ),
      );
    },
  },
};

const dates = { fromDate: year.from, toDate: year.to };
const utcYear = {
  fromDate: Date.UTC(2025, 0, 1) / 1000,
  toDate: Date.UTC(2026, 0, 1) / 1000 - 1,
};

async function run(size: FinanceSize, only: string | undefined): Promise<void> {
  await withThree('profitAndLoss.ts', await financeData(size), async ({ bare, ...services }) => {
    const { cold, warm, headers } = services;
    const asking =
      (server: Server, path: string, optionsAt: (place: number) => object) => (count: number) =>
        measure(server, count, (place): BenchRequest => {
          const body = { channelId: 'channel', merchantId, reportOptions: optionsAt(place) };
          return { path, init: { method: 'POST', headers, body: JSON.stringify(body) } };
        });
    let sent = 0;
    /** Ranges that begin some days later than the last one: days are cached, answers are not. */
    const laterDates = () => ({
      ...dates,
      timezone: zone,
      fromDate: dates.fromDate + (sent++ % rangesMax) * secondsPerDay,
    });
    const byHandAt = (name: string) => (count: number) =>
      measure(bare, count, (place) => ({ path: `/${encodeURIComponent(name)}/${place * 50}` }));
    const [store, byDays] = ['/profitability/storeProfitAndLoss', '/reports/view/profitByPeriod'];
    const groups: Record<string, Variants> = {
      'the store, a year': {
        'by hand, rollup': byHandAt('store by rollup'),
        'by hand, events': (count) => byHandAt('store by events')(Math.ceil(count / 10)),
        'the service, UTC': asking(cold, store, () => dates),
        'the service, Los Angeles': asking(cold, store, () => ({ ...dates, timezone: zone })),
        'the service, Los Angeles, from memory': asking(warm, store, laterDates),
      },
      'the store, a year by days': {
        'by hand, rollup and events': byHandAt('days by rollup and events'),
        'the service, Los Angeles': asking(cold, byDays, () => ({
          ...dates,
          timezone: zone,
          interval: 'd',
        })),
        'the service, Los Angeles, from memory': asking(warm, byDays, () => ({
          ...laterDates(),
          interval: 'd',
        })),
      },
      'a page of 50 products': {
        'by hand, rollup': byHandAt('products by rollup'),
        'the service': asking(cold, '/profitability/productProfitAndLoss', (place) => ({
          ...utcYear,
          pageSize: 50,
          pageIndex: place,
        })),
      },
    };
    printHeadings();
    for (const [group, variants] of Object.entries(groups))
      if (only === undefined || group === only) await compare(group, variants, turns);
  });
}

const [events = '10000000', skus = '20000', only] = process.argv.slice(2);
await serveOrRun(handMade, () => run({ events: Number(events), skus: Number(skus) }, only));
