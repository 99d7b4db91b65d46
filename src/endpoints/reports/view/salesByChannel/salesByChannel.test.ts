import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import {
  casesOn,
  hardlyLimited,
  onEachPair,
  onOnePair,
  type Tenant,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import type { SalesByChannelRow } from './contract.ts';

const path = '/reports/view/salesByChannel';

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

/** The period from the start of a date through the end of another one, and a prior date. */
function days(first: string, last: string, priorDate: string, timezone: string) {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    priorFromDate: at(timezone, `${priorDate}T00:00`),
    priorToDate: at(timezone, `${priorDate}T23:59:59`),
    timezone,
  };
}

type Body = { rows: SalesByChannelRow[]; count: number };

async function view(world: World, key: string, asked: object): Promise<Body> {
  const answer = await world.ask(key, 'POST', path, asked);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function refused(world: World, key: string, body: unknown): Promise<string> {
  const answer = await world.ask(key, 'POST', path, body);
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'error');
  return answer.body.error;
}

const same = <Figure>(value: Figure, priorPeriodValue: Figure) => ({ value, priorPeriodValue });

const empty = {
  marketplace: { market: 'primarymkt', countryCode: 'USA' },
  currency: 'USD',
  sales: same(0, 0),
  orders: same('0', '0'),
  avOrderValue: same(0, 0),
  units: same('0', '0'),
  avOrderSize: same(0, 0),
  pageViews: same('0', '0'),
  conversions: same(0, 0),
  salesSplit: 0,
  forecastTarget: null,
  budgetTarget: null,
  adspendLimit: null,
  outOfStockPercentage: null,
  buyBoxSnapshot: { percentage: null, date: null },
  healthStatus: 'good',
};

const line = (orderId: string, purchasedAt: string, itemPrice: string, more: object = {}) => ({
  ...{ orderId, lineId: '1', purchasedAt, quantity: 1, itemPrice, sku: 'A', ...more },
});

onEachPair('The figures of salesByChannel', (world) => {
  const zone = 'America/New_York';
  // The clocks of New York are set forward on the 9th; the prior day is before all order lines.
  const period = days('2025-03-08', '2025-03-09', '2025-02-01', zone);
  let tenant: Tenant;

  before(async () => {
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-07', currency: 'USD', perEuro: 1.05 },
      { date: '2025-03-07', currency: 'GBP', perEuro: 0.84 },
      { date: '2025-03-09', currency: 'USD', perEuro: 1.2 },
      { date: '2025-03-09', currency: 'GBP', perEuro: 0.8 },
    ]);
    tenant = await world().tenant({
      channelId: 'a-us',
      channel: { displayName: 'Store US', timezone: zone },
    });
    const { organisationId } = tenant;
    await world().channel(organisationId, 'b-uk', {
      ...{ displayName: 'Store UK', countryCode: 'GB', currency: 'GBP', merchantId: 'UK' },
      ...{ timezone: 'Europe/London', marketplace: 'otherMarket', hasAdvertisingConnected: false },
    });
    await world().channel(organisationId, 'c-vendor', {
      ...{ displayName: 'Vendor', kind: 'vendor', timezone: 'UTC' },
    });
    await world().channel(organisationId, 'd-idle', { displayName: 'Idle' });
    await importSeller(world());
    await importRows(world(), 'orderLines', 'b-uk', [
      line('a', '2025-03-08T12:00:00Z', '80.00'),
      // In London this is the 9th, in New York still the 8th.
      line('b', '2025-03-09T00:30:00Z', '16.00', { quantity: 3 }),
    ]);
    await importRows(world(), 'targets', 'b-uk', [
      { month: '2025-03', salesForecast: '248.00', adSpendBudget: '31.00' },
      { date: '2025-03-09', adSpendBudget: '5.00' },
    ]);
    await importVendor(world());
    const other = await world().tenant({ channelId: 'foreign' });
    await importRows(world(), 'orderLines', other.channelId, [
      line('a', '2025-03-08T12:00:00Z', '999.00'),
    ]);
  });

  const usRow = {
    ...empty,
    store: 'Store US',
    storeId: 'a-us',
    sales: same(100, 25),
    orders: same('3', '2'),
    avOrderValue: same(33.33, 12.5),
    units: same('4', '5'),
    avOrderSize: same(1.33, 2.5),
    pageViews: same('50', '20'),
    conversions: same(8, 25),
    // Of 100.00 + 120.00 + 180.00.
    salesSplit: 25,
    // 100.00 a day, and a forecast of one date alone.
    budgetTarget: 200,
    forecastTarget: 90,
    // A and B of A, B, D and F sold of those that the marketplace fulfils.
    outOfStockPercentage: 50,
    buyBoxSnapshot: { percentage: 50, date: '2025-03-09' },
    healthStatus: 'critical',
  };
  const ukRow = {
    ...empty,
    store: 'Store UK',
    storeId: 'b-uk',
    marketplace: { market: 'otherMarket', countryCode: 'GBR' },
    // 96.00 pounds on the 8th in New York, at 1.25.
    sales: same(120, 0),
    orders: same('2', '0'),
    avOrderValue: same(60, 0),
    units: same('4', '0'),
    avOrderSize: same(2, 0),
    salesSplit: 30,
    // 8.00 pounds a day, at 1.25 and 1.5.
    forecastTarget: 22,
    // 1.00 and 5.00.
    adspendLimit: 8.75,
  };
  const vendorRow = {
    ...empty,
    store: 'Vendor',
    storeId: 'c-vendor',
    sales: same(180, 40),
    units: same('9', '2'),
    pageViews: same('60', '8'),
    conversions: same(15, 25),
    salesSplit: 45,
  };

  test('200: every field of a seller, of another currency, of a vendor, and of an idle channel', async () => {
    const idle = { ...empty, store: 'Idle', storeId: 'd-idle' };
    assert.deepEqual(await view(world(), tenant.key, period), {
      rows: [vendorRow, ukRow, usRow, idle],
      count: 4,
    });
  });

  test('200: with tax, by shipped revenue, and in pounds', async () => {
    const asked = { ...period, includeTax: true, vendorRevenueType: 'shippedRevenue' };
    const { rows } = await view(world(), tenant.key, asked);
    const [uk, us, vendor] = rows as [
      SalesByChannelRow,
      SalesByChannelRow,
      SalesByChannelRow,
      SalesByChannelRow,
    ];
    assert.deepEqual(
      [us.sales, us.avOrderValue, uk.sales, vendor.sales, vendor.units, vendor.conversions],
      // Figures that the marketplace reports have no tax. Conversions are those of ordered units.
      [same(110, 25), same(36.67, 12.5), same(120, 0), same(50, 0), same('5', '0'), same(15, 25)],
    );
    const inPounds = await view(world(), tenant.key, {
      ...period,
      currentCurrency: 'gbp',
      searchText: 'store us',
    });
    const [row] = inPounds.rows;
    // 40.00 dollars at 0.8, 60.00 of the 9th at 1 / 1.5; the first rates count before them.
    assert.deepEqual(
      [row!.currency, row!.sales, row!.salesSplit, row!.budgetTarget],
      ['GBP', same(72, 20), 100, 146.67],
    );
  });

  test('200: with an interval, each row has its sales bucket by bucket, beside those of the prior period', async () => {
    const { rows } = await view(world(), tenant.key, { ...period, interval: 'day' });
    const [vendor, uk, us, idle] = rows.map(({ buckets }) => buckets!);
    const bucket = (
      startTime: string,
      sales: number,
      orders: number,
      before = 0,
      priorOrders = 0,
    ) => ({
      ...{ startTime, sales, priorSales: before },
      ...{ orders: String(orders), priorOrders: String(priorOrders) },
    });
    const [eighth, ninth] = ['2025-03-08T00:00:00.000-05:00', '2025-03-09T00:00:00.000-05:00'];
    assert.deepEqual(us, [bucket(eighth, 40, 2, 25, 2), bucket(ninth, 60, 1)]);
    assert.deepEqual(uk, [bucket(eighth, 120, 2), bucket(ninth, 0, 0)]);
    assert.deepEqual(vendor, [bucket(eighth, 100, 0, 40), bucket(ninth, 80, 0)]);
    assert.deepEqual(idle, [bucket(eighth, 0, 0), bucket(ninth, 0, 0)]);
    const weekly = await view(world(), tenant.key, {
      ...period,
      interval: 'w',
      searchText: 'store us',
    });
    // Both days are of the week that begins on Monday the 3rd; the bucket is clipped to the period.
    assert.deepEqual(weekly.rows[0]!.buckets, [bucket(eighth, 100, 3, 25, 2)]);
    const long = { ...period, fromDate: 0, interval: 'd' };
    assert.match(
      await refused(world(), tenant.key, long),
      /fromDate to toDate has more than \d+ buckets/,
    );
    assert.match(
      await refused(world(), tenant.key, { ...period, interval: 'hour' }),
      /^interval must be/,
    );
  });

  test('200: channelIds restricts the rows, and those out of reach match nothing', async () => {
    const idsOf = async (channelIds: string[]) =>
      (await view(world(), tenant.key, { ...period, channelIds })).rows.map(
        ({ storeId, salesSplit }) => [storeId, salesSplit],
      );
    assert.deepEqual(await idsOf(['a-us', 'c-vendor', 'foreign']), [
      ['c-vendor', 64.29],
      ['a-us', 35.71],
    ]);
    assert.deepEqual(await idsOf(['foreign']), []);
    assert.equal((await idsOf([])).length, 4);
  });

  test('200: a range in another zone takes instants for sales and dates for views', async () => {
    const first = at('UTC', '2025-03-08T05:00');
    for (const [timezone, pageViews, rates] of [
      ['UTC', '40', 40],
      ['America/New_York', '40', 40],
      ['America/Los_Angeles', '5', 40],
    ] as const) {
      const { rows } = await view(world(), tenant.key, {
        ...{ ...period, timezone, fromDate: first, toDate: first, searchText: 'store us' },
      });
      assert.deepEqual([rows[0]!.pageViews.value, rows[0]!.sales.value], [pageViews, rates]);
    }
  });

  async function importSeller(of: World) {
    await importRows(of, 'orderLines', 'a-us', [
      line('0', '2025-03-08T04:59:59Z', '1000.00'),
      line('a', '2025-03-08T05:00:00Z', '30.00', { quantity: 2, itemTax: '3.00' }),
      line('a', '2025-03-08T05:00:00Z', '10.00', { lineId: '2', itemTax: '1.00', sku: 'B' }),
      line('b', '2025-03-10T03:59:59Z', '60.00', { itemTax: '6.00' }),
      line('c', '2025-03-08T12:00:00Z', '500.00', { status: 'Canceled', sku: 'C' }),
      line('d', '2025-03-10T04:00:00Z', '7.00', { sku: 'D' }),
    ]);
    await importRows(of, 'traffic', 'a-us', [
      { date: '2025-02-01', pageViews: 20, orderedRevenue: 25, orderedUnits: 5, orderItems: 2 },
      { date: '2025-03-07', pageViews: 5, buyBoxPercentage: 99 },
      { date: '2025-03-08', pageViews: 40, buyBoxPercentage: 80, orderedRevenue: 999 },
      { date: '2025-03-09', pageViews: 10, buyBoxPercentage: 50 },
      { date: '2025-03-10', pageViews: 10, buyBoxPercentage: 10 },
      // 89 days before the snapshot, and the day before.
      { date: '2024-12-11', sku: 'F', orderedUnits: 1 },
      { date: '2024-12-10', sku: 'G', orderedUnits: 1 },
    ]);
    await importRows(of, 'targets', 'a-us', [
      { month: '2025-03', salesBudget: '3100.00' },
      { date: '2025-03-09', salesForecast: '90.00' },
      { date: '2025-03-10', adSpendBudget: '5.00' },
    ]);
    await importRows(of, 'products', 'a-us', [{ sku: 'E', fulfilledByMarketplace: false }]);
    const stock = (sku: string, available: number, more: object = {}) => ({
      ...{ date: '2025-03-10', sku, available, ...more },
    });
    await importRows(of, 'inventory', 'a-us', [
      stock('A', 0),
      // Two reports of one SKU: the rows count before the restock report.
      stock('B', 0),
      stock('B', 9, { report: 'restock' }),
      // Only cancelled, shipped by the seller, and sold before the 90 days.
      stock('C', 0),
      stock('E', 0, { unitsShipped30: 4 }),
      stock('G', 0),
      stock('H', 0, { fulfilledByMarketplace: false, unitsShipped7: 1 }),
      // Sold by an order of the snapshot's day, by traffic, and by what the report says itself.
      stock('D', 1),
      stock('F', 1),
      { date: '2025-03-01', sku: 'D', available: 0 },
      { date: '2025-03-11', sku: 'D', available: 0 },
    ]);
  }

  async function importVendor(of: World) {
    const sales = (date: string, view: string, figures: object) => ({
      ...{ date, view, asin: 'V', ...figures },
    });
    await importRows(of, 'vendorSales', 'c-vendor', [
      sales('2025-02-01', 'MANUFACTURING', {
        ...{ orderedRevenue: 40, orderedUnits: 2, glanceViews: 8 },
      }),
      sales('2025-03-08', 'MANUFACTURING', {
        ...{ orderedRevenue: 100, orderedUnits: 6, glanceViews: 40, shippedRevenue: 7 },
      }),
      sales('2025-03-09', 'MANUFACTURING', {
        ...{ orderedRevenue: 80, orderedUnits: 3, glanceViews: 20 },
      }),
      sales('2025-03-09', 'SOURCING', { shippedRevenue: 50, shippedUnits: 5, orderedUnits: 70 }),
      sales('2025-03-10', 'MANUFACTURING', { orderedRevenue: 5, orderedUnits: 1 }),
    ]);
  }
});

onOnePair('Currencies without rates in salesByChannel', (world) => {
  const period = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');

  test('200: null stands for what is made of their amounts, and the header names the store', async () => {
    const { key, organisationId } = await world().tenant({
      channelId: 'dong',
      channel: { currency: 'VND', timezone: 'UTC', displayName: 'Saigon' },
    });
    await world().channel(organisationId, 'dollars', { timezone: 'UTC', displayName: 'Dollars' });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-01', currency: 'USD', perEuro: 1.1 },
    ]);
    await importRows(world(), 'orderLines', 'dong', [
      line('a', '2025-03-02T10:00:00Z', '500', { quantity: 2 }),
    ]);
    await importRows(world(), 'targets', 'dong', [{ month: '2025-03', salesBudget: 1000 }]);
    await importRows(world(), 'orderLines', 'dollars', [line('a', '2025-03-02T10:00:00Z', '5.00')]);
    const answer = await world().ask(key, 'POST', path, { ...period, sortOrder: 'asc' });
    assert.equal(answer.status, 200);
    const [dollars, dong] = answer.body.rows;
    assert.deepEqual([dollars.sales.value, dollars.salesSplit], [5, 100]);
    assert.deepEqual(dong, {
      ...empty,
      store: 'Saigon',
      storeId: 'dong',
      sales: same(null, 0),
      orders: same('1', '0'),
      avOrderValue: same(null, 0),
      units: same('2', '0'),
      avOrderSize: same(2, 0),
      salesSplit: null,
    });
    assert.equal(
      answer.headers['vitrine-warning'],
      'no-exchange-rate;store="Saigon";currency="VND"',
    );
    // In its own currency it needs no rate, but then the other store does.
    const own = { ...period, currentCurrency: 'VND' };
    assert.match(
      await refused(world(), key, own),
      /^currentCurrency must be a currency with exchange rates: there is none of VND$/,
    );
    const { rows } = await view(world(), key, { ...own, searchText: 'saigon' });
    assert.deepEqual([rows[0]!.sales.value, rows[0]!.budgetTarget], [500, 1000]);
    assert.equal(
      await refused(world(), key, { ...period, currentCurrency: 'XAU' }),
      'currentCurrency must be a currency with exchange rates: there is none of XAU',
    );
  });
});

onOnePair('Order, pages and health of salesByChannel', (world) => {
  const period = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');
  let tenant: Tenant;

  // The lines have equal prices and quantities; `out` of ten SKUs are out of stock.
  const channels = [
    { lines: 2, quantity: 1, price: 30, views: 10, target: 62, buyBox: 80, out: 0 },
    { lines: 1, quantity: 9, price: 90, views: 90, target: 100, buyBox: 90, out: 1 },
    { lines: 3, quantity: 2, price: 10, views: 60, target: 20, buyBox: 79.9, out: 2 },
    undefined,
    { lines: 1, quantity: 9, price: 90, views: 90, target: 120, buyBox: 95, out: 1 },
  ];

  before(async () => {
    tenant = await world().tenant({ channelId: 's0', channel: { timezone: 'UTC' } });
    for (const place of [4, 2, 0, 3, 1]) {
      await world().channel(tenant.organisationId, `s${place}`, { timezone: 'UTC' });
      const own = channels[place];
      if (own === undefined) continue;
      const { lines, quantity, price, views, target, buyBox, out } = own;
      await importRows(
        world(),
        'orderLines',
        `s${place}`,
        Array.from({ length: lines }, (_, index) =>
          line(String(index), '2025-03-02T10:00:00Z', String(price), { quantity }),
        ),
      );
      await importRows(world(), 'traffic', `s${place}`, [
        { date: '2025-03-02', pageViews: views, buyBoxPercentage: buyBox },
      ]);
      await importRows(world(), 'targets', `s${place}`, [
        { month: '2025-03', salesBudget: target, salesForecast: target / 2 },
      ]);
      const stock = Array.from({ length: 10 }, (_, index) => ({
        ...{ date: '2025-03-05', sku: String(index), unitsShipped90: 1 },
        available: index < out ? 0 : 1,
      }));
      await importRows(world(), 'inventory', `s${place}`, stock);
    }
  });

  const order = async (asked: object) =>
    (await view(world(), tenant.key, { ...period, ...asked })).rows
      .map(({ storeId }) => storeId.slice(1))
      .join('');

  // Ascending and descending: null last, equal ones by storeId.
  const orders: readonly (readonly [sortKey: string, rising: string, falling: string])[] = [
    ['sales', '32014', '14023'],
    ['salesSplit', '32014', '14023'],
    ['forecastTarget', '20143', '41023'],
    ['budgetTarget', '20143', '41023'],
    ['orders', '31402', '20143'],
    ['units', '30214', '14203'],
    ['avOrderSize', '30214', '14203'],
    ['avOrderValue', '32014', '14023'],
    ['outOfStockPercentage', '01423', '21403'],
    ['pageViews', '30214', '14203'],
    ['conversions', '31240', '01243'],
  ];

  test('200: by every figure, in both directions', async () => {
    for (const [sortKey, rising, falling] of casesOn(world(), orders, 4)) {
      assert.equal(await order({ sortKey, sortOrder: 'asc' }), rising, sortKey);
      assert.equal(await order({ sortKey, sortOrder: 'desc' }), falling, sortKey);
    }
    assert.equal(await order({}), '14023', 'by sales, the largest first');
  });

  test('200: pages follow one another, and one past the end is empty', async () => {
    const page = async (pageIndex: number, pageSize: number) => {
      const { count } = await view(world(), tenant.key, { ...period, pageIndex, pageSize });
      assert.equal(count, 5);
      return order({ pageIndex, pageSize });
    };
    assert.deepEqual(
      [await page(0, 2), await page(1, 2), await page(2, 2), await page(3, 2)],
      ['14', '02', '3', ''],
    );
    const { rows } = await view(world(), tenant.key, { ...period, pageSize: 1, pageIndex: 2 });
    // Of all pages: 60 of 270.
    assert.equal(rows[0]!.salesSplit, 22.22);
  });

  test('200: the worst mark of target, buy box and stock', async () => {
    const { rows } = await view(world(), tenant.key, period);
    const marks = rows
      .toSorted((one, other) => (one.storeId < other.storeId ? -1 : 1))
      .map(({ healthStatus }) => healthStatus);
    // 96.8 % of the target; 90 %; 20 % out of stock; nothing known; 75 %.
    assert.deepEqual(marks, ['good', 'warning', 'critical', 'good', 'critical']);
  });
});

onOnePair('Which channels salesByChannel shows', (world) => {
  const period = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({
      channelId: 'c-us',
      channel: { displayName: 'Harbour Goods', countryCode: 'US' },
    });
    await world().channel(tenant.organisationId, 'b-de', {
      ...{ displayName: 'ÄPFEL', merchantId: 'M2 @ A1PA6795UKMFR9', countryCode: 'DE' },
    });
    await world().channel(tenant.organisationId, 'a-off', {
      ...{ displayName: 'Harbour Off', marketplace: 'webshop', hasAdvertisingConnected: false },
    });
    const tagged = await world().ask(tenant.key, 'PATCH', '/tags/channel', {
      ...{ channelId: 'b-de', merchantId: 'M2 @ A1PA6795UKMFR9', addTags: ['org://europe'] },
    });
    assert.equal(tagged.status, 200);
    await world().tenant({ channel: { displayName: 'Harbour of others' } });
  });

  const shown = async (asked: object, key = tenant.key) =>
    (await view(world(), key, { ...period, ...asked })).rows.map(({ store }) => store);

  test('200: all within reach with or without advertising, by filter and search', async () => {
    const all = ['Harbour Off', 'ÄPFEL', 'Harbour Goods'];
    assert.deepEqual(await shown({}), all);
    assert.deepEqual(await shown({ filter: {}, searchText: ' ' }), all);
    for (const [asked, expected] of [
      [{ searchText: 'äpf' }, ['ÄPFEL']],
      [{ searchText: 'WEBSHOP' }, ['Harbour Off']],
      [{ filter: { marketplaces: ['a1pa6795ukmfr9', 'Webshop'] } }, ['Harbour Off', 'ÄPFEL']],
      [{ filter: { countries: ['deu'] } }, ['ÄPFEL']],
      [{ filter: { tags: ['org://europe'], countries: ['US'] } }, []],
      [{ filter: { tags: ['org://europe'] }, searchText: 'p' }, ['ÄPFEL']],
    ] as const)
      assert.deepEqual(await shown(asked), expected, JSON.stringify(asked));
  });

  test('200: a restricted administrator sees what was granted, perhaps nothing', async () => {
    const { userId } = await world().operate('POST', '/operator/users', {
      ...{ organisationId: tenant.organisationId, role: 'administrator' },
      email: `${randomUUID()}@example.com`,
    });
    const { key } = await world().operate('POST', '/operator/keys', {
      ...{ userId, limits: hardlyLimited },
    });
    const grant = (channelIds: readonly string[]) =>
      world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds });
    await grant(['b-de']);
    assert.deepEqual(await shown({}, key), ['ÄPFEL']);
    await grant([]);
    assert.deepEqual(await view(world(), key, period), { rows: [], count: 0 });
  });
});

onOnePair('Refusals of salesByChannel', (world) => {
  const valid = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant();
  });

  for (const [body, text] of [
    [
      {},
      'fromDate is required, toDate is required, priorFromDate is required, ' +
        'priorToDate is required, timezone is required',
    ],
    [
      { ...valid, fromDate: valid.toDate + 1, priorFromDate: valid.priorToDate + 1 },
      'toDate must not be before fromDate, priorToDate must not be before priorFromDate',
    ],
    [{ ...valid, toDate: 1e12 }, 'toDate must be in seconds and not in milliseconds'],
    [{ ...valid, timezone: 'Mars' }, 'timezone must be an IANA time zone'],
    [
      { ...valid, currentCurrency: 'US' },
      'currentCurrency must be a currency code of three letters',
    ],
    [{ ...valid, includeTax: 1 }, 'includeTax must be true or false'],
    [
      { ...valid, vendorRevenueType: 'all', filter: { tags: 'x' }, pageSize: 101, pageIndex: -1 },
      'vendorRevenueType must be orderedRevenue or shippedRevenue, filter.tags must be an array, ' +
        'pageIndex must be at least 0, pageSize must be at most 100',
    ],
    [{ ...valid, sortOrder: 'up' }, 'sortOrder must be asc or desc'],
  ] as const) {
    test(`400: ${text}`, async () => {
      assert.equal(await refused(world(), tenant.key, body), text);
    });
  }

  test('400: an unknown field to sort by', async () => {
    assert.match(
      await refused(world(), tenant.key, { ...valid, sortKey: 'adspendLimit' }),
      /^sortKey must be sales or salesSplit or /,
    );
  });
});
