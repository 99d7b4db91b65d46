/**
 * POST /orders/primarymkt and the customer lifetime value report against statements by hand, in one
 * run: 5 million orders of 10 lines, by a million customers in two years, among the orders of other
 * channels. Orders are stored as imports leave them: by the day of their last update, unordered
 * within the day.
 * `node bench/orders.ts [orders=5000000] [list|customers]`
 */
import { join } from 'node:path';
import { buyerEmailUse, createSeal } from '../src/access/secret.ts';
import { type HandMade, rowsOf, serveOrRun } from './byHand.ts';
import { type DataFolder, dataFolder, merchantId, oneChannel, secret } from './folders.ts';
import {
  type BenchRequest,
  compare,
  computeReport,
  measure,
  peakOf,
  printHeadings,
  type Three,
  withThree,
} from './measure.ts';

const secondsPerDay = 86_400;
const linesPerOrder = 10;
const ordersPerCustomer = 5;
const skus = 20_000;
/** Other channels, and the share of orders that each has. */
const others = { channels: 5, part: 0.1 };
const portions = 24;
const range = { from: Date.UTC(2024, 0, 1) / 1000, to: Date.UTC(2026, 0, 1) / 1000 - 1 };
const pageSize = 100;
const turns = { rounds: 3, times: 5, warmUps: 2 };
/** Pages before a page counts as deep. */
const pagesBefore = 200;

/** Makes the data folder unless it exists. */
function ordersData(orders: number): Promise<DataFolder> {
  const what = `${orders.toLocaleString('en')} orders of ${linesPerOrder} lines`;
  return dataFolder(`orders-${orders}`, what, {
    channels: oneChannel,
    *statements() {
      for (let portion = 0; portion < portions; portion++)
        for (let place = 0; place <= others.channels; place++) {
          const count = place === 0 ? orders : Math.round(orders * others.part);
          yield* ordersOf(place, portion, count);
        }
    },
    // As an import leaves them.
    rebuilds: { importId: 0 },
  });
}

/** A portion of the orders of a channel that has `count`, with their lines. */
function* ordersOf(place: number, portion: number, count: number) {
  const first = Math.floor((count * portion) / portions);
  const end = Math.floor((count * (portion + 1)) / portions);
  const email = 'a.buyer.of.the.benchmark@marketplace.example';
  const sealed = createSeal(secret, buyerEmailUse).close(email);
  // An order is purchased up to five days before its last update and first imported that day.
  yield `CREATE OR REPLACE TEMP TABLE made AS
        SELECT n, own.*, (updated_at - ${range.from}) // ${secondsPerDay} + 1 AS import_id,
        (purchased_at - ${range.from}) // ${secondsPerDay} + 1 AS first_import,
          CAST(make_timestamp(purchased_at * 1000000) AS DATE) AS day,
          strftime(make_timestamp(purchased_at * 1000000), '%Y-%m-%dT%H:%M:%SZ') AS purchased,
          CASE WHEN hash(n + 3) % 50 = 0 THEN 'Canceled' ELSE 'Shipped' END AS status
        FROM (SELECT n, updated_at, greatest(${range.from},
        updated_at - CAST(${5 * secondsPerDay} * pow((hash(n + 1) % 10007) / 10007,
        2) AS BIGINT)) AS purchased_at,
            printf('111-%07d-%07d', CAST(hash(n + 2) % 10000000 AS BIGINT), n) AS order_id,
            left(md5(CAST(hash(n + 4) % ${Math.max(1, count / ordersPerCustomer)} AS VARCHAR)),
            22) AS customer
          FROM (SELECT n,
              ${range.from} + CAST(floor(n * ${(range.to - range.from) / count}) AS BIGINT)
                AS updated_at
            FROM range(${first}, ${end}) AS orders(n))) AS own
        ORDER BY import_id, hash(n)`;
  yield `INSERT INTO order_record (channel, import_id, day, order_id,
        purchased_at, updated_at, items_at, status, record, sealed_email, customer, versions)
        SELECT ${1 + place}, import_id, day, order_id, purchased_at, updated_at, updated_at,
          status,
          '{"SellerId":"A1BENCHMARK","MarketplaceId":"ATVPDKIKX0DER","FulfillmentChannel":"AFN","SalesChannel":"Amazon.com","OrderType":"StandardOrder","ShipServiceLevel":"Expedited","ShipmentServiceLevelCategory":"Expedited","PaymentMethod":"Other","PaymentMethodDetails":"Standard","EarliestShipDate":"'
            || purchased || '","LatestShipDate":"' || purchased
            || '","NumberOfItemsShipped":${linesPerOrder},"NumberOfItemsUnshipped":0,"IsPrime":'
            || CASE WHEN n % 2 = 0 THEN 'true' ELSE 'false' END
            || ',"IsBusinessOrder":false,"IsReplacementOrder":false,"ShippingAddress":{"StateOrRegion":"CA","PostalCode":"' || CAST(90000 + hash(n + 5) % 9999 AS VARCHAR)
            || '-' || CAST(1000 + hash(n + 6) % 8999 AS VARCHAR)
            || '","City":"Town ' || CAST(hash(n + 7) % 5000 AS VARCHAR)
            || '","CountryCode":"US"},"OrderTotal":{"Amount":'
            || CAST((hash(n + 8) % 40000 + 500) / 100 AS VARCHAR) || ',"CurrencyCode":"USD"}}',
          '${sealed}', customer, CASE WHEN first_import < import_id
          THEN first_import || ':' || (purchased_at + 60) ELSE '' END
        FROM made`;
  yield `INSERT INTO order_line (channel, import_id, day, order_id, line_id,
        purchased_at, updated_at, items_at, status, sku, product_id, quantity, item_price,
          item_tax, promotion_discount, shipping_price, tax_basis, currency, customer)
        SELECT ${1 + place}, import_id, day, order_id,
        CAST(n * ${linesPerOrder} + line AS VARCHAR), purchased_at, updated_at, updated_at, status,
          'SKU-' || sku, 'B0' || sku, 1, price, price * 0.08, 0, 0, '', 'USD', customer
        FROM (SELECT made.*, line, (hash(n + line) % 9000 + 500) / 100 AS price,
        CAST(${skus} * pow((hash(n - line) % 100003) / 100003, 2) AS INTEGER) AS sku
          FROM made, range(${linesPerOrder}) AS lines(line)) AS selected`;
}

type DateField = 'createdAt' | 'updatedAt';

const selected =
  'SELECT order_id, purchased_at, updated_at, status, record, sealed_email FROM order_record WHERE channel = 1';
const utcDay = (instant: string) =>
  `DATE '1970-01-01' + CAST(${instant} // ${secondsPerDay} AS INTEGER)`;
/**
 * A page after an instant: over two days, which hold more than a page, and over everything after.
 */
const pages: Record<DateField, Record<string, string>> = {
  createdAt: {
    'two days': `${selected} AND day BETWEEN ${utcDay('$from')} AND ${utcDay('$from')} + 1
      AND purchased_at >= $from AND (purchased_at > $from OR order_id > '')
      ORDER BY purchased_at, order_id LIMIT ${pageSize + 1}`,
    'no end': `${selected} AND day >= ${utcDay('$from')} AND purchased_at >= $from AND (purchased_at > $from OR order_id > '') ORDER BY purchased_at, order_id LIMIT ${pageSize + 1}`,
  },
  updatedAt: {
    'two days': `${selected} AND updated_at BETWEEN $from AND $from + ${2 * secondsPerDay} AND (updated_at > $from OR order_id > '') ORDER BY updated_at, order_id LIMIT ${pageSize + 1}`,
    'no end': `${selected} AND updated_at >= $from AND (updated_at > $from OR order_id > '') ORDER BY updated_at, order_id LIMIT ${pageSize + 1}`,
  },
};
/** Cohorts by month, in one currency. */
const cohorts = `WITH
    orders AS (SELECT any_value(customer) AS customer, min(purchased_at) AS ordered_at,
    sum(item_price) AS revenue
      FROM order_line WHERE channel = 1 AND status <> 'Canceled' GROUP BY order_id),
    customers AS (SELECT min(ordered_at) AS first_at, count(*) AS orders, sum(revenue) AS revenue
    FROM orders WHERE customer <> '' GROUP BY customer)
  SELECT strftime(date_trunc('month', make_timestamp(first_at * 1000000)), '%Y-%m-%d') AS month,
  count(*) AS customers, count(*) FILTER (WHERE orders > 1) AS repeat_customers,
    sum(orders) AS orders, sum(revenue) AS revenue,
    sum(revenue) FILTER (WHERE orders > 1) AS repeat_revenue
  FROM customers GROUP BY ALL ORDER BY ALL`;

const { open } = createSeal(secret, buyerEmailUse);
const handMade: HandMade = {
  setup: [
    `SET temp_directory = '${join(process.argv.at(-1)!, 'temporary')}'`,
    'SET preserve_insertion_order = false',
  ],
  routes: {
    async '/orders/:dateField/:extent/:from'(connection, { dateField, extent, from }) {
      const sql = pages[dateField as DateField][extent!]!.replaceAll('$from', from!);
      const rows = await rowsOf(connection, sql);
      return {
        data: rows.slice(0, pageSize).map((row) => ({
          ...(JSON.parse(row.record as string) as object),
          PlatformOrderId: row.order_id,
          OrderStatus: row.status,
          PurchaseDate: new Date(Number(row.purchased_at) * 1000).toISOString(),
          LastUpdateDate: new Date(Number(row.updated_at) * 1000).toISOString(),
          BuyerInfo: { BuyerEmail: open(row.sealed_email as string) },
        })),
      };
    },
    '/cohorts': (connection) => rowsOf(connection, cohorts),
  },
};

const holdsPage = (text: string) => text.split('"PlatformOrderId"').length === pageSize + 1;

/** Pages at three places of the range, and deep in a walk, against the first ones. */
async function compareLists({ bare, cold: service, headers }: Three): Promise<void> {
  for (const dateField of ['createdAt', 'updatedAt'] as const) {
    const pageAt = (fromDate: number, key?: string): BenchRequest => ({
      path: '/orders/primarymkt',
      init: {
        method: 'POST',
        headers,
        body: JSON.stringify({
          channelId: 'channel',
          merchantId,
          fromDate,
          toDate: range.to,
          dateField,
          pageSize,
          key,
        }),
      },
      holds: holdsPage,
    });
    // No day is read twice in a row, so no page was just read.
    const dayAt = (part: number, place: number) =>
      range.from + Math.floor(part * (range.to - range.from)) + place * secondsPerDay;
    const served = (part: number) => (times: number) =>
      measure(service, times, (place) => pageAt(dayAt(part, place)));
    const byHand = (extent: string, part: number) => (times: number) =>
      measure(bare, times, (place) => ({
        path: `/orders/${dateField}/${encodeURIComponent(extent)}/${dayAt(part, place)}`,
        holds: holdsPage,
      }));
    const keys: (string | undefined)[] = [undefined];
    while (keys.length < pagesBefore + turns.times) {
      const { path, init } = pageAt(range.from, keys.at(-1));
      const { meta } = (await (await fetch(service.address + path, init)).json()) as {
        meta: { key?: string };
      };
      keys.push(meta.key);
    }
    const walked = (first: number) => (times: number) =>
      measure(service, times, (place) => pageAt(range.from, keys[first + place]));
    const variants = {
      'the beginning': served(0),
      'the middle': served(0.5),
      'the end': served(0.98),
      'first pages of a walk': walked(0),
      [`behind ${pagesBefore} pages`]: walked(pagesBefore),
      'by hand, the beginning': byHand('two days', 0),
      'by hand, the end': byHand('two days', 0.98),
      'by hand without an end': (times: number) => byHand('no end', 0)(Math.ceil(times / 5)),
    };
    await compare(`orders by ${dateField}`, variants, turns);
  }
}

async function compareCohorts({ bare, cold: service, headers }: Three): Promise<void> {
  // Each report differs, because identical reports share their computation.
  let toDate = range.to;
  const variants = {
    'by hand': () => measure(bare, 1, () => ({ path: '/cohorts' })),
    'the service': async () => {
      const reportOptions = {
        fromDate: range.from,
        toDate: toDate--,
        timezone: 'UTC',
        interval: 'M',
      };
      const { rows, ...measured } = await computeReport(service, 'customerLifetimeValue', headers, {
        channelId: 'channel',
        merchantId,
        reportOptions,
      });
      if (rows !== portions) throw new Error(`The report has ${rows} rows`);
      return measured;
    },
  };
  await compare('customer lifetime value', variants, { rounds: 3, times: 1, warmUps: 0 });
}

async function run(orders: number, only: string | undefined): Promise<void> {
  await withThree('orders.ts', await ordersData(orders), async (three) => {
    const { bare, cold } = three;
    printHeadings();
    if (only !== 'customers') await compareLists(three);
    if (only !== 'list') await compareCohorts(three);
    console.log(
      `peak memory: by hand ${peakOf(bare.pid)} MiB, the service ${peakOf(cold.pid)} MiB`,
    );
  });
}

await serveOrRun(handMade, () => run(Number(process.argv[2] ?? 5_000_000), process.argv[3]));
