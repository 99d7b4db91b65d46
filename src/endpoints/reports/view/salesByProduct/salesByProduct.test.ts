import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  directionsOf,
  onEachPair,
  type Tenant,
  testOnOnePair,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { soldProductColumns } from '../../../../contract/soldProducts.ts';

type Product = Record<string, string | number | null>;
type Row = { readonly current: Product; readonly prior: Product };
type Unlisted = { readonly totalSales: number; readonly unitsSold: number };
type Page = {
  readonly rows: Row[];
  readonly count: number;
  readonly currency: string;
  readonly unlisted: { readonly current: Unlisted; readonly prior: Unlisted };
};

const at = (instant: string) => Date.parse(instant) / 1000;

async function view(world: World, tenant: Tenant, body: object): Promise<Page> {
  const { channelId, merchantId } = tenant;
  const answer = await world.ask(tenant.key, 'POST', '/reports/view/salesByProduct', {
    channelId,
    merchantId,
    ...body,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const ids = ({ rows }: Page) => rows.map(({ current }) => current.productId);

/** Four days in New York, where clocks change on the third, and the two days before. */
const march = {
  fromDate: at('2025-03-07T05:00:00Z'),
  toDate: at('2025-03-11T03:59:59Z'),
  priorFromDate: at('2025-03-05T05:00:00Z'),
  priorToDate: at('2025-03-07T04:59:59Z'),
  timezone: 'America/New_York',
};

const catalogue = [
  {
    sku: 'A',
    productId: 'B0A',
    title: 'Ash table',
    price: '25.00',
    imageUrl: 'https://images.example/a.jpg',
    linkUrl: 'https://shop.example/a',
  },
  { sku: 'B', productId: 'B0B', title: 'Birch chair', price: '9.99' },
  { sku: 'C1', productId: 'B0C', title: 'Cedar box' },
  { sku: 'C2', productId: 'B0C', title: 'Cedar box, large', price: '5.00' },
  { sku: 'D', productId: 'B0D', title: 'Drawer' },
  { sku: 'E', title: 'Élan lamp' },
];
const line = (
  orderId: string,
  purchasedAt: string,
  sku: string,
  quantity: number,
  itemPrice: string,
  more: object = {},
) => ({ orderId, lineId: '1', purchasedAt, sku, quantity, itemPrice, ...more });
const lines = [
  // The first second of March 8th.
  line('o1', '2025-03-08T05:00:00Z', 'A', 2, '40.00', { itemTax: '3.20' }),
  line('o2', '2025-03-09T06:30:00Z', 'A', 1, '20.00'),
  // The last second of the period, which is an hour earlier than it was in winter.
  line('o3', '2025-03-11T03:59:59Z', 'B', 1, '10.00', { itemTax: '1.00', currency: 'EUR' }),
  line('o4', '2025-03-11T04:00:00Z', 'A', 9, '900.00'),
  line('o5', '2025-03-10T12:00:00Z', 'A', 9, '900.00', { status: 'Canceled' }),
  // A replacement costs nothing.
  line('o6', '2025-03-10T10:00:00Z', 'A', 1, '0'),
  line('o7', '2025-03-09T12:00:00Z', '', 1, '5.00', { productId: 'B0X' }),
  line('o8', '2025-03-09T12:00:00Z', 'Z', 1, '4.00', { productId: 'B0Z' }),
  line('o9', '2025-03-09T12:00:00Z', '', 1, '1.00'),
];
const traffic = [
  { date: '2025-03-06', sku: 'A', productId: 'B0A', orderedRevenue: '15.00', orderedUnits: 1 },
  { date: '2025-03-07', sku: 'A', productId: 'B0A', orderedRevenue: '30.00', orderedUnits: 2 },
  // Known by the product id alone, which one SKU has, or two.
  { date: '2025-03-07', productId: 'B0B', orderedRevenue: '20.00', orderedUnits: 1 },
  { date: '2025-03-07', productId: 'B0C', orderedRevenue: '7.00', orderedUnits: 1 },
  // Traffic without sales is no sale.
  { date: '2025-03-06', productId: 'B0B', pageViews: 9 },
  { date: '2025-03-07', orderedRevenue: '60.00', orderedUnits: 5 },
  // From the first order line on, only order lines count.
  { date: '2025-03-09', sku: 'A', productId: 'B0A', orderedRevenue: '500.00', orderedUnits: 5 },
];
const ads = [
  { date: '2025-03-08', sku: 'A', productId: 'B0A', cost: '5.00', sales: '20.00' },
  { date: '2025-03-08', sku: 'B', productId: 'B0B', cost: '2.00', sales: '0' },
  { date: '2025-03-09', productId: 'B0B', cost: '1.00', sales: '4.00', adType: 'SD' },
  { date: '2025-03-09', sku: 'D', productId: 'B0D', cost: '1.00', sales: '0' },
  { date: '2025-03-11', sku: 'A', productId: 'B0A', cost: '99.00', sales: '99.00' },
];
const inventory = [
  { date: '2025-03-06', sku: 'A', available: 5 },
  { date: '2025-03-08', sku: 'A', available: 0 },
  // Of two reports of a day the first kind counts.
  { date: '2025-03-08', sku: 'A', available: 7, report: 'restock' },
  { date: '2025-03-10', sku: 'A', available: 0 },
  { date: '2025-03-11', sku: 'A', available: 50 },
  { date: '2025-03-06', sku: 'B', available: 0 },
  // The day after the prior period.
  { date: '2025-03-07', sku: 'B', available: 3 },
  { date: '2025-03-08', sku: 'D', available: 5 },
  { date: '2025-03-07', sku: 'E', available: 0 },
  { date: '2025-03-09', sku: 'F', available: 0 },
];
const rates = [
  { date: '2025-03-07', currency: 'USD', perEuro: 1.2 },
  { date: '2025-03-10', currency: 'USD', perEuro: 1.1 },
  { date: '2025-03-11', currency: 'USD', perEuro: 1.3 },
];
const texts = { title: '', linkUrl: '', imageUrl: '', price: null };
const nothing = { totalSales: 0, unitsSold: 0, avPrice: 0, acos: 0, tacos: 0 };

onEachPair('The small world of products', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let tenant: Tenant;
  const page = (body: object) => view(world(), tenant, { ...march, ...body });

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'America/New_York' } });
    await importRows(world(), 'exchangeRates', undefined, rates);
    await importRows(world(), 'products', tenant.channelId, catalogue);
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    await importRows(world(), 'traffic', tenant.channelId, traffic);
    await importRows(world(), 'adProductDays', tenant.channelId, ads);
    await importRows(world(), 'inventory', tenant.channelId, inventory);
  });

  test('200: sales of products from order lines, and before them from the reported figures', async () => {
    const answer = await page({});
    const a = {
      ...{ productId: 'A', title: 'Ash table', sku: 'A', productSku: 'B0A', price: 25 },
      linkUrl: 'https://shop.example/a',
      imageUrl: 'https://images.example/a.jpg',
    };
    const b = {
      ...{ productId: 'B', title: 'Birch chair', sku: 'B', productSku: 'B0B', price: 9.99 },
      ...{ linkUrl: '', imageUrl: '' },
    };
    const c = { ...texts, productId: 'B0C', title: 'Cedar box', sku: '', productSku: 'B0C' };
    const x = { ...texts, productId: 'B0X', sku: '', productSku: 'B0X' };
    const z = { ...texts, productId: 'Z', sku: 'Z', productSku: 'B0Z' };
    const none = { ...texts, productId: '', sku: '', productSku: '' };
    const noon = at('2025-03-09T12:00:00Z');
    const figures = (sales: number, lastSold: number) => ({
      ...{ totalSales: sales, unitsSold: 1, avPrice: sales, acos: 0, tacos: 0 },
      ...{ lastSold, noQuantitySinceTime: null },
    });
    const never = { ...nothing, lastSold: null, noQuantitySinceTime: null };
    assert.deepEqual(answer, {
      rows: [
        {
          current: {
            ...a,
            // 30.00 + 43.20 + 20.00 of 2 + 2 + 1 + 1 units.
            ...{ totalSales: 93.2, unitsSold: 6, avPrice: 15.53 },
            lastSold: at('2025-03-10T10:00:00Z'),
            noQuantitySinceTime: at('2025-03-08T05:00:00Z'),
            // 5.00 of 20.00 and of 93.20.
            ...{ acos: 25, tacos: 5.36 },
          },
          prior: {
            ...a,
            ...{ totalSales: 15, unitsSold: 1, avPrice: 15, acos: 0, tacos: 0 },
            lastSold: at('2025-03-06T05:00:00Z'),
            noQuantitySinceTime: null,
          },
        },
        {
          current: {
            ...b,
            // 20.00 and 11.00 euros at 1.1.
            ...{ totalSales: 32.1, unitsSold: 2, avPrice: 16.05 },
            lastSold: at('2025-03-11T03:59:59Z'),
            noQuantitySinceTime: null,
            // 3.00 of 4.00 and of 32.10.
            ...{ acos: 75, tacos: 9.35 },
          },
          prior: { ...b, ...never, noQuantitySinceTime: at('2025-03-06T05:00:00Z') },
        },
        {
          current: { ...c, ...figures(7, at('2025-03-07T05:00:00Z')) },
          prior: { ...c, ...never },
        },
        { current: { ...x, ...figures(5, noon) }, prior: { ...x, ...never } },
        { current: { ...z, ...figures(4, noon) }, prior: { ...z, ...never } },
        { current: { ...none, ...figures(1, noon) }, prior: { ...none, ...never } },
      ],
      count: 6,
      currency: 'USD',
      // Of 60.00 reported for the store, products have 57.00.
      unlisted: {
        current: { totalSales: 3, unitsSold: 1 },
        prior: { totalSales: 0, unitsSold: 0 },
      },
    });
  });

  test('200: the sales of all rows and those of no product are the sales of the store', async () => {
    const { channelId, merchantId } = tenant;
    const { rows, unlisted } = await page({});
    const store = await world().ask(tenant.key, 'POST', '/reports/view/salesByPeriod', {
      ...{ channelId, merchantId },
      reportOptions: { ...march, interval: 'y' },
    });
    const [row] = store.body.formattedChartData;
    for (const side of ['current', 'prior'] as const) {
      const sum = (name: 'totalSales' | 'unitsSold') =>
        rows.reduce((sum, one) => sum + Number(one[side][name]), unlisted[side][name]);
      const [sales, units] =
        side === 'current' ? [row.sales, row.unitsSold] : [row.priorSales, row.priorUnitsSold];
      assert.deepEqual([sum('totalSales').toFixed(2), sum('unitsSold')], [sales, units]);
    }
  });

  test('200: without tax, without a prior period, and outside of every fact', async () => {
    const { fromDate, toDate, timezone } = march;
    const net = await view(world(), tenant, { fromDate, toDate, timezone, includeTax: false });
    // 30 + 40 + 20, and 20 + 10.00 euros at 1.1.
    assert.deepEqual(
      net.rows.slice(0, 2).map(({ current }) => current.totalSales),
      [90, 31],
    );
    assert.deepEqual(
      net.rows.map(({ prior }) => [prior.totalSales, prior.lastSold, prior.noQuantitySinceTime]),
      Array(6).fill([0, null, null]),
    );
    const later = { fromDate: at('2026-01-01T00:00:00Z'), toDate: at('2026-01-31T00:00:00Z') };
    const empty = {
      ...net,
      rows: [],
      count: 0,
      unlisted: { current: nothingSold, prior: nothingSold },
    };
    assert.deepEqual(await view(world(), tenant, { ...later, timezone }), empty);
  });

  test('200: products without sales, with their last sale, and those in stock', async () => {
    const later = {
      fromDate: at('2025-03-12T04:00:00Z'),
      toDate: at('2025-03-13T03:59:59Z'),
      timezone: 'America/New_York',
      includeNoSales: true,
    };
    const { rows, count } = await view(world(), tenant, {
      ...later,
      sortKey: 'productId',
      sortOrder: 'asc',
    });
    assert.deepEqual(
      rows.map(({ current }) => [current.productId, current.lastSold, current.noQuantitySinceTime]),
      [
        ['A', at('2025-03-11T04:00:00Z'), null],
        ['B', at('2025-03-11T03:59:59Z'), null],
        ['C1', null, null],
        ['C2', null, null],
        ['D', null, null],
        ['E', null, at('2025-03-07T05:00:00Z')],
        ['F', null, at('2025-03-09T05:00:00Z')],
      ],
    );
    assert.equal(count, 7);
    // The order adds no rows: Z, B0X and '' were sold before, but are not known.
    const byLastSale = await view(world(), tenant, { ...later, sortKey: 'lastSold' });
    assert.deepEqual(ids(byLastSale), ['A', 'B', 'C1', 'C2', 'D', 'E', 'F']);
    assert.deepEqual(
      ids(
        await page({
          includeNoSales: true,
          includeNoInventory: false,
          sortKey: 'productId',
          sortOrder: 'asc',
        }),
      ),
      ['B', 'B0C', 'B0X', 'C1', 'C2', 'D', 'Z', ''],
    );
    assert.deepEqual(ids(await page({ includeNoInventory: false })), ['B', 'B0C', 'B0X', 'Z', '']);
  });

  testOnce('200: a search finds titles, SKUs and product ids in any letter case', async () => {
    const found = async (searchText: string) =>
      ids(await page({ searchText, includeNoSales: true, sortKey: 'productId', sortOrder: 'asc' }));
    assert.deepEqual(await found('TABLE'), ['A']);
    assert.deepEqual(await found('éLAN'), ['E']);
    assert.deepEqual(await found('b0x'), ['B0X']);
    assert.deepEqual(await found('b0z'), ['Z']);
    assert.deepEqual(await found('cedar'), ['B0C', 'C1', 'C2']);
    assert.deepEqual(await found('%'), []);
  });

  test('200: rows are sorted by every column, and pages never overlap', async () => {
    const all = { includeNoSales: true, pageSize: 100 };
    for (const [place, sortKey] of soldProductColumns.entries()) {
      for (const sortOrder of directionsOf(place)) {
        const whole = await page({ ...all, sortKey, sortOrder });
        const keys = whole.rows.map(({ current }) => {
          const value = current[sortKey]!;
          return typeof value === 'string' ? value.toLowerCase() : value;
        });
        const order = (a: (typeof keys)[number], b: (typeof keys)[number]) => {
          const isLast = (key: typeof a) => Number(key === null || key === '');
          const sign = sortOrder === 'asc' ? 1 : -1;
          return isLast(a) - isLast(b) || (a === b ? 0 : a! < b! ? -sign : sign);
        };
        assert.deepEqual(keys, keys.toSorted(order), `${sortKey} ${sortOrder}`);
        assert.equal(whole.rows.length, whole.count);
      }
    }
    // Rows without a price have no order but that of their ties.
    const paged: unknown[] = [];
    const byPrice = { includeNoSales: true, sortKey: 'price' };
    for (let pageIndex = 0; pageIndex < 3; pageIndex++)
      paged.push(...ids(await page({ ...byPrice, pageIndex, pageSize: 5 })));
    assert.deepEqual(paged, ids(await page({ ...byPrice, pageSize: 100 })));
    assert.equal(new Set(paged).size, 11);
    const past = await page({ pageIndex: 9 });
    assert.deepEqual([past.rows, past.count], [[], 6]);
  });
});

const nothingSold = { totalSales: 0, unitsSold: 0 };
