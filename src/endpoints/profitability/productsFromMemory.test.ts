/** Products with their profit from memory, and channels with too many figures for it. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onOnePair, type Tenant, type World } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { slowTest } from '../../../test/level.ts';
import { tablesBeside } from '../../../test/table.ts';
import { counted, workOf } from '../../../test/work.ts';
import { assertShown, importFacts } from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'productsFromMemory.tables.txt');

const secondsPerDay = 86_400;
const path = '/profitability/productProfitAndLoss';
const at = (march: number, hour = 0) => Date.UTC(2025, 2, march, hour) / 1000;
/** Whole days of March. */
const days = (first: number, last: number) => ({ fromDate: at(first), toDate: at(last + 1) - 1 });

const sale = (sku: string, march: number, hour: number) => ({
  eventId: sku + march,
  postedAt: at(march, hour),
  sku,
  line: 'sales',
});

type Row = Record<string, unknown>;

/** Requests products. Returns the page and the names of the questions; memory changes neither. */
async function pageOf(world: World, tenant: Tenant, reportOptions: object) {
  const { key, channelId, merchantId } = tenant;
  const body = { channelId, merchantId, reportOptions };
  const [answer, { names }] = await workOf(() => world.ask(key, 'POST', path, body));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual((await world.askUncached(key, 'POST', path, body)).body, answer.body);
  const { productEvents: rows, count } = answer.body as { productEvents: Row[]; count: number };
  return { names, count, rows };
}

onOnePair(
  'Products with their profit from memory',
  (world) => {
    let tenant: Tenant;
    const page = (reportOptions: object) => pageOf(world(), tenant, reportOptions);

    before(async () => {
      tenant = await world().tenant({ channel: { timezone: 'UTC', currency: 'USD' } });
      await importRows(world(), 'exchangeRates', undefined, [
        { date: '2025-01-01', currency: 'USD', perEuro: 1.2 },
      ]);
      const dates = Array.from({ length: 20 }, (_, place) => place + 1);
      await importFacts(world(), tenant.channelId, {
        products: [{ sku: 'A', productId: 'PA', title: 'Apples' }],
        unitCosts: `sku, effectiveFrom, cogs, cogsCurrency
          A, 2025-01-01, "1", EUR
          A, 2025-03-10, "2"`,
        // Each day A is sold for its number, and B for euros.
        financeEvents: dates.flatMap((march) => [
          { ...sale('A', march, 12), amount: march, tax: '0.5', quantity: 1 },
          { ...sale('B', march, 13), amount: 1, currency: 'EUR' },
        ]),
        adProductDays: tables.adProductDays!,
      });
      await page(days(1, 20));
    });

    const shown = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) =>
        ['sellerSku', 'productSku', 'title', 'sales', 'cogs', 'advertisingSpend'].map(
          (name) => row[name],
        ),
      );

    test('200: other whole days, options and pages ask for nothing but rates and ids of products', async () => {
      const { names, rows, count } = await page(days(4, 11));
      // Six units cost a euro each, two cost 2 dollars.
      assert.deepEqual(
        [count, ...shown(rows)],
        [
          3,
          ['A', 'PA', 'Apples', 60, 11.2, 6.8],
          ['B', '', '', 9.6, 0, 0],
          ['C', 'PC', '', 0, 0, 3],
        ],
      );
      assert.deepEqual([...new Set(names)].sort(), ['productAdCost', 'rates']);

      const taxed = { ...days(6, 7), includeTax: true, sellerSkus: ['A', 'C'] };
      const some = await page(taxed);
      assert.deepEqual([some.count, ...shown(some.rows)], [1, ['A', 'PA', 'Apples', 14, 2.4, 0]]);
      assert.deepEqual([...new Set(some.names)], ['rates']);

      const dollars = await page({ ...days(11, 12), sellerSkus: ['A'] });
      assert.deepEqual(shown(dollars.rows), [['A', 'PA', 'Apples', 23, 4, 0]]);
      assert.deepEqual(dollars.names, []);
      const second = await page({ ...days(11, 13), pageIndex: 1, pageSize: 1, sellerSkus: ['A'] });
      assert.deepEqual([second.count, second.rows, second.names], [1, [], []]);
    });

    test('200: ranges with days of the same zone share the parts of days at their ends', async () => {
      const shifted = (first: number, last: number, hour: number) => ({
        fromDate: at(first, hour),
        toDate: at(last + 1, hour) - 1,
        sellerSkus: ['A', 'C'],
      });
      await page(shifted(10, 15, 12));
      // The sale at noon begins the day.
      const { names, rows } = await page(shifted(11, 13, 12));
      assert.deepEqual(shown(rows), [['A', 'PA', 'Apples', 36, 6, 0]]);
      assert.deepEqual(names, []);
      // An hour later it belongs to the day before.
      const later = await page(shifted(11, 13, 13));
      assert.deepEqual(shown(later.rows), [['A', 'PA', 'Apples', 39, 6, 0]]);
      assert.deepEqual([...new Set(later.names)], ['profit of products by parts of days']);
      const begins = await page({ ...shifted(11, 13, 12), toDate: at(14) - 1 });
      assert.deepEqual([shown(begins.rows), begins.names], [shown(rows), []]);
    });

    test('200: other parts of days at the ends of a range are one question', async () => {
      const options = { fromDate: at(11, 12) + 1, toDate: at(14, 12), sellerSkus: ['A'] };
      const { names, rows } = await page(options);
      assert.deepEqual(shown(rows), [['A', 'PA', 'Apples', 39, 6, 0]]);
      assert.deepEqual(names, ['profit of products']);
      const within = await page({ ...options, fromDate: at(14, 1), toDate: at(14, 13) - 1 });
      assert.deepEqual(shown(within.rows), [['A', 'PA', 'Apples', 14, 2, 0]]);
      assert.deepEqual(within.names, ['profit of products']);
    });

    test('200: tax alone in another currency counts in the order', async () => {
      await importRows(world(), 'financeEvents', tenant.channelId, [
        { ...sale('F', 25, 12), amount: 5 },
        { ...sale('G', 25, 12), amount: 0, tax: 90, currency: 'EUR' },
      ]);
      const { rows } = await page({ ...days(25, 25), includeTax: true });
      assertShown(rows)`${tables.taxed}`;
    });

    test('200: whatever changes counts at once', async () => {
      const { channelId } = tenant;
      const now = async () => shown((await page({ ...days(12, 12), sellerSkus: ['A', 'D'] })).rows);
      assert.deepEqual(await now(), [['A', 'PA', 'Apples', 12, 2, 0]]);
      const dearer = { sku: 'A', effectiveFrom: '2025-03-12', cogs: '3' };
      await importRows(world(), 'unitCosts', channelId, [dearer]);
      assert.deepEqual(await now(), [['A', 'PA', 'Apples', 12, 3, 0]]);
      await importFacts(world(), channelId, {
        products: [{ sku: 'A', productId: 'PA', title: 'Pears' }],
        adProductDays: [{ date: '2025-03-12', productId: 'PD', sku: 'D', adType: 'SD', cost: '5' }],
      });
      assert.deepEqual(await now(), [
        ['A', 'PA', 'Pears', 12, 3, 0],
        ['D', 'PD', '', 0, 0, 5],
      ]);
      const charge = { sku: 'B', line: 'advertisingSpend', amount: '-1' };
      await importRows(world(), 'financeEvents', channelId, [
        { eventId: 'charge', postedAt: at(2), ...charge },
      ]);
      assert.deepEqual(await now(), [['A', 'PA', 'Pears', 12, 3, 0]]);
    });

    slowTest('200: a question finds the page of more figures than memory caches', async () => {
      const tenant = await world().tenant({ channel: { timezone: 'UTC', currency: 'USD' } });
      const [first, skus] = [at(1, 12), 1_400];
      // 1,400 SKUs on the last 12 days of a block; the first ones are sold for the most.
      await importRows(
        world(),
        'financeEvents',
        tenant.channelId,
        Array.from({ length: 12 * skus }, (_, place) => ({
          eventId: String(place),
          line: 'sales',
          quantity: 1,
          postedAt: first + Math.floor(place / skus) * secondsPerDay,
          sku: String(1_000 + (place % skus)),
          amount: skus - (place % skus),
        })),
      );
      const { names, count, rows } = await pageOf(world(), tenant, { ...days(2, 9), pageSize: 2 });
      assert.deepEqual(
        [count, ...rows.map(({ sellerSku, sales }) => [sellerSku, sales])],
        [skus, ['1000', 8 * skus], ['1001', 8 * (skus - 1)]],
      );
      assert.ok(names.includes('productPage'), String(names));
      assert.ok(!names.includes('profit of products by day'), String(names));
    });
  },
  { between: counted },
);
