/**
 * GET /advertising/campaigns and /products against statements by hand, in one run: five channels,
 * six months, 2,000 campaigns and 20,000 products, sorted and paged, in one currency and in three;
 * without a working set (cold) and with figures in memory (warm).
 * Then the same campaigns among a hundred times the facts of other channels and dates.
 * `node bench/advertising.ts [times=100]`
 */
import { type HandMade, rowsOf, serveOrRun } from './byHand.ts';
import { type DataFolder, dataFolder, exchangeRates } from './folders.ts';
import { compare, measure, printHeadings, type Server, withThree } from './measure.ts';

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

/** Makes a data folder with `times` as many campaign metrics of others as requested ones. */
function dataOf(times: number): Promise<DataFolder> {
  const campaignDays = (channel: number, currency: string, first: string, count: number) =>
    `INSERT INTO campaign_day (channel, import_id, day, since, campaign_id, ad_type, report,
      ${columns})
      SELECT ${channel}, 1, DATE '${first}' + CAST(n // ${campaigns} AS INTEGER) AS day, day,
      CAST(400000000000 + n % ${campaigns} AS VARCHAR), 'SB', '',
        ${figures('(n % 4000 + 100) / 100')}, '${currency}'
        FROM range(${campaigns * count}) AS numbers(n) ORDER BY n`;
  return dataFolder(`advertising-${times}`, `campaigns amid ${times} times the facts`, {
    channels: currencies.map((currency, place) => ({ channelId: `channel-${place}`, currency })),
    *statements(inserted) {
      for (const { channelNumber: channel, currency } of inserted) {
        yield `INSERT INTO campaign SELECT ${channel}, 1,
          CAST(400000000000 + n AS VARCHAR), 'Campaign ' || hash(n), 'SB', 'active', 'daily', 25,
          '2024-01-01', '', 'manual', 'manual', 'cpc', 1 FROM range(${campaigns}) AS numbers(n)`;
        if (times > 0) yield campaignDays(channel, currency, '2023-01-01', 731);
        yield campaignDays(channel, currency, '2025-01-01', days);
        if (times === 0)
          yield `INSERT INTO ad_product_day (channel, import_id, day, since, product_id,
          sku, ad_type, ad_group_id, campaign_id, ${columns})
          SELECT ${channel}, 1, DATE '2025-01-01' + CAST(n // ${products} AS INTEGER) AS day, day,
          'B0' || CAST(10000000 + n % ${products} AS VARCHAR),
          'SKU-' || CAST(n % ${products} AS VARCHAR), 'SP', '', '',
          ${figures('(n % 4000 + 100) / 100')}, '${currency}'
          FROM range(${products * days}) AS numbers(n) ORDER BY n`;
      }
      const foreign = 1000;
      const others = Math.round((times * 5 * days) / foreign);
      for (let other = 0; other < others; other++)
        yield campaignDays(channels + 1 + other, 'USD', '2023-01-01', foreign);
      yield exchangeRates('2022-12-01', 1100, { USD: 1.05, GBP: 0.83 });
    },
  });
}

const countSums = (...names: string[]) => names.map((name) => `sum(${name}) AS ${name}`).join(', ');

/** The statement for this one answer: no other columns, no other sorting, rates at hand. */
const byHand = {
  campaigns: (isConverting: boolean) =>
    `WITH sums AS (${sumsOf('campaign_day', 'channel, campaign_id', isConverting)})
      SELECT *, cost / nullif(sales, 0) AS acos, clicks / impressions AS ctr, cost / clicks AS cpc,
      cost / conversions AS cpa, conversions / clicks AS cvr,
        sales / cost AS roas, count(*) OVER () AS matching
      FROM campaign LEFT JOIN sums USING (channel, campaign_id) WHERE channel IN CHANNELS
      ORDER BY cost DESC, campaign_id LIMIT 50`,
  products: (isConverting: boolean) =>
    `WITH sums AS (${sumsOf('ad_product_day', 'channel, product_id', isConverting)})
      SELECT *, cost / nullif(sales, 0) AS acos, clicks / impressions AS ctr, cost / clicks AS cpc,
      conversions / clicks AS cvr, sales / cost AS roas,
        count(*) OVER () AS matching
      FROM sums ORDER BY cost DESC, product_id LIMIT 50`,
};

/** Sums of half a year; only campaigns have new-to-brand orders and page views. */
function sumsOf(table: string, key: string, isConverting: boolean): string {
  const money = (name: string) =>
    `sum(${isConverting ? `CAST(${name} AS DOUBLE) * factor` : name}) AS ${name}`;
  const more =
    table === 'campaign_day'
      ? `, ${countSums('orders_ntb', 'units_ntb', 'detail_page_views')}, ${money('sales_ntb')}`
      : '';
  return `SELECT ${key}, ${countSums('impressions', 'clicks', 'conversions')},
      ${countSums('conversions_same_sku', 'units', 'units_same_sku')},
      ${money('cost')}, ${money('sales')}, ${money('sales_same_sku')}${more}
    FROM ${table} ${isConverting ? 'JOIN rate USING (currency, day)' : ''}
    WHERE channel IN CHANNELS AND day BETWEEN DATE '2025-01-01' AND DATE '2025-06-30'
    GROUP BY ${key}`;
}

type ListName = keyof typeof byHand;

/** The statements, with the rates at hand. */
const handMade: HandMade = {
  setup: [
    `CREATE TABLE rate AS SELECT 'EUR' AS currency, day, per_euro AS factor
    FROM exchange_rate WHERE currency = 'USD'
    UNION ALL SELECT 'USD', day, 1 FROM exchange_rate WHERE currency = 'USD'
    UNION ALL SELECT 'GBP', day, usd.per_euro / gbp.per_euro FROM exchange_rate AS gbp
    JOIN exchange_rate AS usd USING (day)
      WHERE gbp.currency = 'GBP' AND usd.currency = 'USD'`,
  ],
  routes: {
    async '/:list/:kind'(connection, { list, kind }) {
      const channels = kind === 'three' ? '(6, 7, 8, 9, 10)' : '(1, 2, 3, 4, 5)';
      const sql = byHand[list as ListName](kind === 'three').replaceAll('CHANNELS', channels);
      return { data: await rowsOf(connection, sql) };
    },
  },
};

/**
 * The path of a request. Successive requests differ in page size, so no cached answer serves them.
 */
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
  await withThree('advertising.ts', near, async ({ bare, cold, warm }, start) => {
    const amid = await start('service.ts', far.folder, ['0']);
    let sent = 0;
    const asking = (server: Server, pathAt: (turn: number) => string, key = '') => {
      const init = { headers: { 'x-api-key': key } };
      const holds = (text: string) => text.includes('impressions');
      return (count: number) =>
        measure(server, count, () => ({ path: pathAt(sent++), init, holds }));
    };
    printHeadings();
    for (const list of ['campaigns', 'products'] as const)
      for (const kind of ['one', 'three'] as const) {
        const path = (turn: number) => pathOf(list, kind, turn);
        const variants = {
          'by hand': asking(bare, () => `/${list}/${kind}`),
          'the service, cold': asking(cold, path, near.key),
          'the service, warm': asking(warm, path, near.key),
        };
        const currencies = kind === 'one' ? 'one currency' : 'three currencies';
        await compare(`${list}, ${currencies}`, variants, turns);
      }
    const path = () => pathOf('campaigns', 'one');
    const variants = {
      alone: asking(cold, path, near.key),
      [`amid ${times} times the facts`]: asking(amid, path, far.key),
    };
    await compare('campaigns', variants, turns);
  });
}

await serveOrRun(handMade, () => run(Number(process.argv[2] ?? 100)));
