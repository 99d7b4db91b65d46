/**
 * GET /search-query-performance/asins against statements by hand, in one run: 500 products x 200
 * queries x 24 months of one channel (2.4 million rows), a year and the year before, a page of 50
 * sorted by six columns in turn, in one currency and converted.
 * `node bench/searchQueries.ts`
 */
import { rollups } from '../schema/warehouse/tables.ts';
import { countNames } from '../src/endpoints/search-query-performance/figures.ts';
import { type HandMade, serveOrRun } from './byHand.ts';
import {
  type DataFolder,
  dataFolder,
  exchangeRates,
  merchantId,
  oneChannel,
  zone,
} from './folders.ts';
import {
  compare,
  type Measured,
  measure,
  printHeadings,
  type Server,
  type Variants,
  withThree,
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

/** The price of a purchase. */
const price = `CASE WHEN median_purchase_price > 0 THEN median_purchase_price
  WHEN total_median_purchase_price > 0 THEN total_median_purchase_price
  ELSE median_click_price END`;

/** Makes the data folder unless it exists. */
function searchData(): Promise<DataFolder> {
  const figures = countNames
    .map(
      (_, place) =>
        `(hash(n * 16 + ${place}) % ${[900, 9_000, 300, 900, 60, 400, 20, 200, 9][place]})::BIGINT`,
    )
    .join(', ');
  const rows = products * queries;
  const { columns: ofMonths } = rollups.find(({ name }) => name === 'search_month')!;
  const columns = Object.keys(ofMonths).join(', ');
  const what = `${products} products x ${queries} queries x ${months} months`;
  return dataFolder('searchQueries', what, {
    channels: oneChannel,
    searchQueryProductMax: products,
    *statements() {
      for (let month = 0; month < months; month++)
        yield `INSERT INTO search_query (channel, import_id, day, asin, search_query,
      ${countNames.join(', ')}, total_median_purchase_price,
        median_purchase_price, median_click_price, currency)
      SELECT 1, 1, CAST(DATE '2024-01-01' + INTERVAL ${month} MONTH AS DATE),
      'B0' || CAST(10000000 + n % ${products} AS VARCHAR), 'query ' || n, ${figures},
        (n % 9000 + 500) / 100, CASE WHEN n % 5 = 0 THEN 0 ELSE (n % 7000 + 500) / 100 END,
        (n % 8000 + 500) / 100, 'USD'
      FROM range(${month * rows}, ${(month + 1) * rows}) AS numbers(n)`;
      for (let channel = 1; channel <= 1 + others; channel++)
        yield `INSERT INTO search_month (channel, import_id, ${columns})
      SELECT ${channel}, 1, day, asin, currency,
      ${countNames.map((name) => `sum(${name})`).join(', ')},
      sum(purchases * ${price}),
        sum(total_purchases * total_median_purchase_price)
      FROM search_query GROUP BY day, asin, currency ORDER BY day, asin`;
      yield exchangeRates('2023-12-01', 800, { USD: 1.05, GBP: 0.83 });
    },
  });
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

/** The answer of the service, made of rows. */
function answerOf(rows: readonly Record<string, unknown>[]): object {
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

/** The statements, with the rates at hand. */
const handMade: HandMade = {
  setup: [
    `CREATE TABLE month_rate AS SELECT 'USD' AS currency,
    CAST(date_trunc('month', day) AS DATE) AS day, avg(gbp.per_euro / usd.per_euro) AS factor
    FROM exchange_rate AS usd JOIN exchange_rate AS gbp USING (day) WHERE usd.currency = 'USD'
    AND gbp.currency = 'GBP' GROUP BY ALL`,
  ],
  routes: {
    async '/:table/:kind/:sort'(connection, { table, kind, sort }) {
      const order = sorts[sort!]!;
      const sql = byHand(table as 'search_month' | 'search_query', kind === 'GBP', order);
      return answerOf(await (await connection.run(sql)).getRowObjects());
    },
  },
};

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
  await withThree('searchQueries.ts', await searchData(), async ({ bare, cold, warm, headers }) => {
    let sent = 0;
    const pathOf = (currency: string, sort: string, later = 0) => {
      const fromDate = periods.fromDate + later;
      const query = { channelId: 'channel', merchantId, timezone: zone, pageSize, ...periods };
      const words = Object.entries({ ...query, fromDate, currency, sortKey: sort });
      const named = words.map(([name, value]): [string, string] => [name, String(value)]);
      return `/search-query-performance/asins?${new URLSearchParams(named)}`;
    };
    printHeadings();
    for (const currency of ['USD', 'GBP']) {
      const byHandOver = (table: string) => (times: number) =>
        measureSorts(bare, times, {}, (sort) => `/${table}/${currency}/${sort}`);
      const variants: Variants = {
        'by hand, rollup': byHandOver('search_month'),
        'by hand, raw rows': (times) => byHandOver('search_query')(Math.ceil(times / 10)),
        'the service, cold': (times) =>
          measureSorts(cold, times, headers, (sort) => pathOf(currency, sort)),
        // Whole answers are cached, too, so no request is sent twice; the months stay the same.
        'the service, from memory': (times) =>
          measureSorts(warm, times, headers, (sort) => pathOf(currency, sort, sent++)),
      };
      await compare(currency, variants, turns);
    }
  });
}

await serveOrRun(handMade, run);
