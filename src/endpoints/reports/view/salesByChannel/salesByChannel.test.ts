/**
 * The figures of salesByChannel are sums made by hand, for sellers and vendors in several zones and
 * currencies; it shows the channels within reach, sorted by any figure and page by page.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import {
  type ChannelSettings,
  casesOn,
  onOnePair,
  type Tenant,
  type World,
} from '../../../../../test/harness.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../../../test/table.ts';
import {
  administratorOf,
  askView,
  assertShown,
  at,
  compared,
  importFacts,
  rated,
  refusalOf,
} from '../../../../../test/world.ts';
import type { SalesByChannelRow } from './contract.ts';

const tables = tablesBeside(import.meta.url, 'salesByChannel.tables.txt');

const name = 'salesByChannel';

/** The period from the start of a date through the end of another one, and a prior date. */
const days = (first: string, last: string, prior: string, timezone: string) =>
  compared(first, last, [prior, prior], timezone);

type Body = { rows: SalesByChannelRow[]; count: number };

const view = (world: World, key: string, input: object): Promise<Body> =>
  askView(world, key, name, input);

const same = <Figure>(value: Figure, priorPeriodValue: Figure) => ({ value, priorPeriodValue });

/** The fields of a row: one a line, with its value and the one of the prior period if it has any. */
const fieldsIn = (table: string) =>
  Object.fromEntries(
    listsOf(table).map(([field, value, prior]) => [
      field,
      prior === undefined ? value : same(value, prior),
    ]),
  );

const empty = {
  ...fieldsIn(tables.emptyRow!),
  marketplace: { market: 'primarymkt', countryCode: 'USA' },
  buyBoxSnapshot: { percentage: null, date: null },
};

const sellerFacts = tablesBeside(import.meta.url, 'seller.facts.txt');
const vendorFacts = { vendorSales: tables.vendorSales! };

onOnePair(
  'The figures of salesByChannel',
  (world) => {
    const zone = 'America/New_York';
    // The clocks of New York are set forward on the 9th; the prior day is before all order lines.
    const period = days('2025-03-08', '2025-03-09', '2025-02-01', zone);
    const [usId, ukId, vendorId, idleId] = ['a-us', 'b-uk', 'c-vendor', 'd-idle'].map(
      (id) => `figures-${id}`,
    ) as [string, string, string, string];
    let tenant: Tenant;
    let foreign: Tenant;

    before(async () => {
      tenant = await world().tenant({
        channelId: usId,
        channel: { displayName: 'Store US', timezone: zone },
      });
      const connect = (channelId: string, settings: Partial<ChannelSettings>) =>
        world().channel(tenant.organisationId, channelId, settings);
      const [uk] = rowsOf(tables.channel!);
      await connect(ukId, uk!);
      await connect(vendorId, { displayName: 'Vendor', kind: 'vendor', timezone: 'UTC' });
      await connect(idleId, { displayName: 'Idle' });
      await importFacts(world(), usId, sellerFacts);
      await importFacts(world(), ukId, {
        // In London the second line is of the 9th, in New York still of the 8th.
        orderLines: tables.orderLines!,
        targets: tables.targets!,
      });
      await importFacts(world(), vendorId, vendorFacts);
      foreign = await world().tenant();
    });

    const usRow = {
      ...empty,
      ...fieldsIn(tables.usRow!),
      storeId: usId,
      buyBoxSnapshot: { percentage: 50, date: '2025-03-09' },
    };
    const ukRow = {
      ...empty,
      ...fieldsIn(tables.ukRow!),
      storeId: ukId,
      marketplace: { market: 'otherMarket', countryCode: 'GBR' },
    };
    const vendorRow = { ...empty, ...fieldsIn(tables.vendorRow!), storeId: vendorId };

    test('200: every field of a seller, of another currency, of a vendor, and of an idle channel', async () => {
      const idle = { ...empty, store: 'Idle', storeId: idleId };
      assert.deepEqual(await view(world(), tenant.key, period), {
        rows: [vendorRow, ukRow, usRow, idle],
        count: 4,
      });
    });

    test('200: with tax, by shipped revenue, and in pounds', async () => {
      const input = { ...period, includeTax: true, vendorRevenueType: 'shippedRevenue' };
      const [uk, us, vendor] = (await view(world(), tenant.key, input)).rows;
      assert.deepEqual(
        [us!.sales, us!.avOrderValue, uk!.sales],
        [same(110, 25), same(55, 12.5), same(120, 0)],
      );
      // Figures reported by the marketplace have no tax. Conversions use ordered units.
      assert.deepEqual(
        [vendor!.sales, vendor!.units, vendor!.conversions],
        [same(50, 0), same('5', '0'), same(15, 25)],
      );
      const pounds = { ...period, currentCurrency: 'gbp', searchText: 'store us' };
      const [row] = (await view(world(), tenant.key, pounds)).rows;
      // 40.00 dollars at 0.8, 60.00 of the 9th at 1 / 1.5; the first rates count before them.
      assert.deepEqual(
        [row!.currency, row!.sales, row!.salesSplit, row!.budgetTarget],
        ['GBP', same(72, 20), 100, 146.67],
      );
    });

    test('200: with an interval, each row has its sales bucket by bucket, beside the prior period', async () => {
      const { rows } = await view(world(), tenant.key, { ...period, interval: 'day' });
      const [vendor, uk, us, idle] = rows.map(({ buckets }) => buckets!);
      const bucket = (startTime: string, sales: number, orders: number, prior = [0, 0]) => ({
        startTime,
        sales,
        priorSales: prior[0],
        orders: String(orders),
        priorOrders: String(prior[1]),
      });
      const [eighth, ninth] = ['2025-03-08T00:00:00.000-05:00', '2025-03-09T00:00:00.000-05:00'];
      assert.deepEqual(us, [bucket(eighth, 40, 1, [25, 2]), bucket(ninth, 60, 1)]);
      assert.deepEqual(uk, [bucket(eighth, 120, 2), bucket(ninth, 0, 0)]);
      assert.deepEqual(vendor, [bucket(eighth, 100, 0, [40, 0]), bucket(ninth, 80, 0)]);
      assert.deepEqual(idle, [bucket(eighth, 0, 0), bucket(ninth, 0, 0)]);
      const ofUs = { ...period, interval: 'w', searchText: 'store us' };
      const weekly = await view(world(), tenant.key, ofUs);
      // Both days are in the week from Monday the 3rd; the bucket is clipped to the period.
      assert.deepEqual(weekly.rows[0]!.buckets, [bucket(eighth, 100, 2, [25, 2])]);
    });

    test('200: channelIds restricts the rows; channels out of reach match nothing', async () => {
      const rowsOf = async (channelIds: string[]) =>
        (await view(world(), tenant.key, { ...period, channelIds })).rows;
      assertShown(await rowsOf([usId, vendorId, foreign.channelId]))`
        storeId,     salesSplit
        ${vendorId}, 64.29
        ${usId},     35.71
      `;
      assert.deepEqual(await rowsOf([foreign.channelId]), []);
      assert.equal((await rowsOf([])).length, 4);
    });

    test('200: a range in another zone has sales of its instants, views of dates', async () => {
      const first = at('UTC', '2025-03-08T05:00');
      const second = { ...period, fromDate: first, toDate: first, searchText: 'store us' };
      for (const [timezone, pageViews] of listsOf(tables.pageViews!)) {
        const [row] = (await view(world(), tenant.key, { ...second, timezone })).rows;
        assert.deepEqual([row!.pageViews.value, row!.sales.value], [pageViews, 40]);
      }
    });
  },
  { begins: rated },
);

onOnePair(
  'Currencies without rates in salesByChannel',
  (world) => {
    const period = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');

    test('200: figures made of their amounts are null, and the header names the store', async () => {
      const { key, organisationId, channelId } = await world().tenant({
        channel: { currency: 'VND', timezone: 'UTC', displayName: 'Saigon' },
      });
      const dollars = { timezone: 'UTC', displayName: 'Dollars' };
      const inDollars = await world().channel(organisationId, randomUUID(), dollars);
      const line = { orderId: 'a', lineId: '1', purchasedAt: '2025-03-02T10:00:00Z' };
      await importFacts(world(), channelId, {
        orderLines: [{ ...line, itemPrice: '500', quantity: 2 }],
        targets: [{ month: '2025-03', salesBudget: 1000 }],
      });
      await importFacts(world(), inDollars, {
        orderLines: [{ ...line, itemPrice: '5.00', quantity: 1 }],
      });
      const input = { ...period, sortOrder: 'asc' };
      const answer = await world().ask(key, 'POST', `/reports/view/${name}`, input);
      assert.equal(answer.status, 200);
      const [five, dong] = answer.body.rows;
      assert.deepEqual([five.sales.value, five.salesSplit], [5, 100]);
      assert.deepEqual(dong, { ...empty, ...fieldsIn(tables.dongRow!), storeId: channelId });
      const warning = 'no-exchange-rate;store="Saigon";currency="VND"';
      assert.equal(answer.headers['vitrine-warning'], warning);
      // In its own currency it needs no rate, but the other store then does.
      const own = { ...period, currentCurrency: 'VND' };
      const unrated = 'currentCurrency must be a currency with exchange rates: there is none of';
      for (const currentCurrency of ['VND', 'XAU']) {
        const refusal = await refusalOf(world(), key, name, { ...period, currentCurrency });
        assert.equal(refusal, `${unrated} ${currentCurrency}`);
      }
      const { rows } = await view(world(), key, { ...own, searchText: 'saigon' });
      assert.deepEqual([rows[0]!.sales.value, rows[0]!.budgetTarget], [500, 1000]);
    });
  },
  { begins: rated },
);

onOnePair('Order, pages and health of salesByChannel', (world) => {
  const period = days('2025-03-01', '2025-03-31', '2025-02-01', 'UTC');
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({ channelId: 'order-0', channel: { timezone: 'UTC' } });
    for (const place of [4, 2, 3, 1])
      await world().channel(tenant.organisationId, `order-${place}`, { timezone: 'UTC' });
    // The lines have equal prices and quantities; `out` of ten SKUs are out of stock.
    for (const { place, lines, quantity, itemPrice, pageViews, target, buyBox, out } of rowsOf(
      tables.stores!,
    ))
      await importFacts(world(), `order-${place}`, {
        orderLines: Array.from({ length: lines }, (_, index) => ({
          orderId: String(index),
          lineId: '1',
          quantity,
          itemPrice,
          sku: 'A',
          purchasedAt: '2025-03-02T10:00:00Z',
        })),
        traffic: [{ date: '2025-03-02', pageViews, buyBoxPercentage: buyBox }],
        targets: [{ month: '2025-03', salesBudget: target, salesForecast: target / 2 }],
        inventory: Array.from({ length: 10 }, (_, index) => ({
          date: '2025-03-05',
          sku: String(index),
          unitsShipped90: 1,
          available: index < out ? 0 : 1,
        })),
      });
  });

  const order = async (input: object) =>
    (await view(world(), tenant.key, { ...period, ...input })).rows
      .map(({ storeId }) => storeId.slice('order-'.length))
      .join('');

  // Ascending and descending: null last, equal ones by storeId.
  const orders = listsOf(tables.orders!);

  test('200: by every figure, in both directions', async () => {
    for (const [sortKey, rising, falling] of casesOn(world(), orders, 4)) {
      assert.equal(await order({ sortKey, sortOrder: 'asc' }), rising, sortKey);
      assert.equal(await order({ sortKey, sortOrder: 'desc' }), falling, sortKey);
    }
    assert.equal(await order({}), '14023', 'by sales, the largest first');
  });

  test('200: pages follow one another, and one past the end is empty', async () => {
    for (const [pageIndex, shown] of ['14', '02', '3', ''].entries()) {
      const page = { pageIndex, pageSize: 2 };
      assert.equal((await view(world(), tenant.key, { ...period, ...page })).count, 5);
      assert.equal(await order(page), shown);
    }
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
      channelId: 'within-c-us',
      channel: { displayName: 'Harbour Goods', countryCode: 'US' },
    });
    const { organisationId } = tenant;
    const [channelId, merchantId] = ['within-b-de', 'M2 @ A1PA6795UKMFR9'];
    const german = { displayName: 'ÄPFEL', merchantId, countryCode: 'DE' };
    await world().channel(organisationId, channelId, german);
    const off = { displayName: 'Harbour Off', hasAdvertisingConnected: false };
    await world().channel(organisationId, 'within-a-off', { ...off, marketplace: 'webshop' });
    const tags = { channelId, merchantId, addTags: ['org://europe'] };
    const { status } = await world().ask(tenant.key, 'PATCH', '/tags/channel', tags);
    assert.equal(status, 200);
    await world().tenant({ channel: { displayName: 'Harbour of others' } });
  });

  const shown = async (input: object, key = tenant.key) =>
    (await view(world(), key, { ...period, ...input })).rows.map(({ store }) => store);

  test('200: all within reach with or without advertising, by filter and search', async () => {
    const all = ['Harbour Off', 'ÄPFEL', 'Harbour Goods'];
    assert.deepEqual(await shown({}), all);
    assert.deepEqual(await shown({ filter: {}, searchText: ' ' }), all);
    for (const [input, expected] of [
      [{ searchText: 'äpf' }, ['ÄPFEL']],
      [{ searchText: 'WEBSHOP' }, ['Harbour Off']],
      [{ filter: { marketplaces: ['a1pa6795ukmfr9', 'Webshop'] } }, ['Harbour Off', 'ÄPFEL']],
      [{ filter: { countries: ['deu'] } }, ['ÄPFEL']],
      [{ filter: { tags: ['org://europe'], countries: ['US'] } }, []],
      [{ filter: { tags: ['org://europe'] }, searchText: 'p' }, ['ÄPFEL']],
    ] as const)
      assert.deepEqual(await shown(input), expected, JSON.stringify(input));
  });

  test('200: a restricted administrator sees the granted channels, if there are any', async () => {
    const { key, grant } = await administratorOf(world(), tenant.organisationId);
    await grant(['within-b-de']);
    assert.deepEqual(await shown({}, key), ['ÄPFEL']);
    await grant([]);
    const input = { ...period, currentCurrency: 'EUR' };
    assert.deepEqual(await view(world(), key, input), { rows: [], count: 0 });
  });
});
