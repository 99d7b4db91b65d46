import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  onEachPair,
  onRandomFacts,
  openWorld,
  type Tenant,
  testOnOnePair,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf } from '../../../../../test/reports.ts';
import { overlay } from '../../../../engine/overlay.ts';
import type { Warehouse } from '../../../../engine/warehouse.ts';
import { reports } from '../reports.ts';
import { trafficByPages } from './report.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const figureColumns = [
  'pageViews',
  'priorPageViews',
  'orderedRevenue',
  'priorOrderedRevenue',
  'orderedUnits',
  'priorOrderedUnits',
  'price',
  'unitsPerView',
  'priorUnitsPerView',
  'unitsPerSession',
  'priorUnitsPerSession',
  'sessions',
  'priorSessions',
  'mobileSessionsPercentage',
  'priorMobileSessionsPercentage',
  'buyboxWinPercentage',
  'priorBuyboxWinPercentage',
];

/** The options of whole days in UTC. */
function days(first: string, last: string) {
  return {
    fromDate: Date.parse(`${first}T00:00:00Z`) / 1000,
    toDate: Date.parse(`${last}T23:59:59Z`) / 1000,
  };
}

const march = days('2025-03-01', '2025-03-31');
const february = days('2025-02-01', '2025-02-28');
const compared = { ...march, priorFromDate: february.fromDate, priorToDate: february.toDate };

async function listed(world: World, tenant: Tenant, options: object): Promise<string[]> {
  const { rows } = await csvOf(world, tenant, 'trafficAndConversion', options);
  return rows.map((row) => row.join('|'));
}

onEachPair('Reports of traffic and conversion', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let tenant: Tenant;

  const products = [
    {
      sku: 'SKU-1',
      productId: 'C1',
      parentProductId: 'P',
      title: 'Child one',
      brand: 'Brand',
      price: '19.99',
    },
    {
      sku: 'SKU-2',
      productId: 'C2',
      parentProductId: 'P',
      title: 'Child "two", large',
      brand: 'Brand',
      price: '24.99',
    },
    { sku: 'SKU-P', productId: 'P', title: 'The family' },
    { sku: 'SKU-3', productId: 'S1', title: '=SUM(A1)', brand: '@brand' },
    // Of one product two SKUs; the second is the first that has a title.
    { sku: 'SKU-8A', productId: 'C8', price: '5.00' },
    { sku: 'SKU-8B', productId: 'C8', title: 'Eight', brand: 'B8', price: '5.00' },
  ];
  const seen = (
    date: string,
    sku: string,
    productId: string,
    [pageViews, sessions, mobileSessions]: number[],
    more: object,
  ) => ({
    date,
    sku,
    productId,
    pageViews,
    sessions,
    mobileSessions,
    ...more,
  });
  const sold = (orderedUnits: number, orderedRevenue: string) => ({ orderedUnits, orderedRevenue });
  const rows = [
    seen('2025-03-01', 'SKU-1', 'C1', [100, 80, 20], {
      parentProductId: 'P',
      buyBoxPercentage: 90,
      ...sold(10, '200.00'),
    }),
    seen('2025-03-31', 'SKU-1', 'C1', [60, 50, 5], {
      parentProductId: 'P',
      buyBoxPercentage: 50,
      ...sold(2, '40.00'),
    }),
    // Its parent is known from the catalogue alone, and nothing of its featured offer.
    seen('2025-03-10', 'SKU-2', 'C2', [50, 40, 0], sold(2, '50.02')),
    seen('2025-02-28', 'SKU-2', 'C2', [10, 10, 1], { buyBoxPercentage: 100, ...sold(1, '9.99') }),
    // A product without SKUs, whose parent is reported on one of two days, and one that the
    // catalogue knows by two SKUs.
    seen('2025-03-02', '', 'C9', [100, 60, 0], { parentProductId: 'Q' }),
    seen('2025-03-03', '', 'C9', [50, 40, 0], {}),
    seen('2025-03-03', '', 'C8', [4, 3, 1], sold(1, '4.50')),
    seen('2025-03-05', 'SKU-3', 'S1', [0, 0, 0], sold(1, '5.00')),
    seen('2025-03-05', 'SKU-4', '', [0, 0, 0], {}),
    seen('2025-03-05', 'SKU-6', '', [4, 4, 0], {}),
    seen('2025-02-01', 'SKU-5', 'C5', [7, 6, 3], {}),
    // The days around both windows, and the whole store.
    seen('2025-01-31', 'SKU-1', 'C1', [1000, 1000, 1000], sold(1000, '1000.00')),
    seen('2025-04-01', 'SKU-1', 'C1', [1000, 1000, 1000], sold(1000, '1000.00')),
    seen('2025-03-05', '', '', [5000, 5000, 5000], sold(5000, '5000.00')),
  ];

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'Asia/Tokyo' } });
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'traffic', tenant.channelId, rows);
  });

  test('A row for each parent, most viewed first, beside its figures of the period before', async () => {
    const report = await csvOf(world(), tenant, 'trafficAndConversion', compared);
    assert.deepEqual(report.columns, ['title', 'productSku', ...figureColumns]);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        // 290.02 for 14 units, 14 of 210 views and of 170 sessions, 25 of them mobile; 90 % of 100
        // views and 50 % of 60.
        'The family|P|210|10|290.02|9.99|14|1|20.72|0.0667|0.1000|0.0824|0.1000|170|10|14.71|10.00|75.00|100.00',
        '|Q|150|0|0.00|0.00|0|0||0.0000||0.0000||100|0|0.00|||',
        'Eight|C8|4|0|4.50|0.00|1|0|4.50|0.2500||0.3333||3|0|33.33|||',
        '|SKU-6|4|0|0.00|0.00|0|0||0.0000||0.0000||4|0|0.00|||',
        '|C5|0|7|0.00|0.00|0|0|||0.0000||0.0000|0|6||50.00||',
        "'=SUM(A1)|S1|0|0|5.00|0.00|1|0|5.00|||||0|0||||",
      ],
    );
  });

  test('A row for each SKU with its brand and the price of its offer; a product without a SKU has a row of its own', async () => {
    const report = await csvOf(world(), tenant, 'trafficAndConversion', {
      ...compared,
      view: 'skus',
    });
    assert.deepEqual(report.columns, ['title', 'productSku', 'sku', 'brand', ...figureColumns]);
    assert.deepEqual(
      report.rows.map((row) => row.join('|')),
      [
        'Child one|C1|SKU-1|Brand|160|0|240.00|0.00|12|0|19.99|0.0750||0.0923||130|0|19.23||75.00|',
        '|C9|||150|0|0.00|0.00|0|0||0.0000||0.0000||100|0|0.00|||',
        'Child "two", large|C2|SKU-2|Brand|50|10|50.02|9.99|2|1|24.99|0.0400|0.1000|0.0500|0.1000|40|10|0.00|10.00||100.00',
        'Eight|C8||B8|4|0|4.50|0.00|1|0|5.00|0.2500||0.3333||3|0|33.33|||',
        '|SKU-6|SKU-6||4|0|0.00|0.00|0|0||0.0000||0.0000||4|0|0.00|||',
        '|C5|SKU-5||0|7|0.00|0.00|0|0|||0.0000||0.0000|0|6||50.00||',
        "'=SUM(A1)|S1|SKU-3|'@brand|0|0|5.00|0.00|1|0||||||0|0||||",
      ],
    );
  });

  test('Without a comparison its cells are blank, and what had traffic then alone has no row', async () => {
    const found = await listed(world(), tenant, { ...march, view: 'skus' });
    assert.equal(found.length, 6);
    assert.equal(
      found[2],
      'Child "two", large|C2|SKU-2|Brand|50||50.02||2||24.99|0.0400||0.0500||40||0.00|||',
    );
    // Seconds of the last of March in Tokyo that are the first of April there.
    const shifted = { fromDate: march.fromDate, toDate: march.toDate, timezone: 'Asia/Tokyo' };
    assert.match((await listed(world(), tenant, shifted))[0]!, /^The family\|P\|1210\|/);
  });

  test('A channel without traffic has the header alone', async () => {
    const report = await csvOf(world(), await world().tenant(), 'trafficAndConversion', march);
    assert.deepEqual(report, { columns: ['title', 'productSku', ...figureColumns], rows: [] });
  });

  test('Traffic that the SKUs of a product repeat counts once: in the store, for several SKUs and for the parent', async () => {
    const own = await world().tenant({ channel: { timezone: 'UTC' } });
    const repeated = (sku: string, productId: string, views: number, parentProductId = 'P') =>
      seen('2025-03-01', sku, productId, [views, 40, 10], {
        parentProductId,
        buyBoxPercentage: 90,
        orderItems: 1,
        ...sold(2, '10.00'),
      });
    const answer = await importRows(world(), 'traffic', own.channelId, [
      repeated('A1', 'A', 50),
      repeated('A2', 'A', 50),
      // Other figures are another row of traffic, and a SKU alone is a product of its own.
      repeated('A3', 'A', 60),
      repeated('B1', '', 50),
      repeated('B2', '', 50),
      // A product under two parents is two rows.
      repeated('', 'C', 50, 'P'),
      repeated('', 'C', 50, 'Q'),
      { ...repeated('A2', 'A', 50), date: '2025-03-02' },
    ]);
    assert.equal(answer.body.rowsAccepted, 8);
    const viewsOf = async (sellerSkus: readonly string[]) => {
      const { body } = await world().ask(own.key, 'POST', '/reports/view/salesByPeriod', {
        channelId: own.channelId,
        merchantId: own.merchantId,
        sellerSkus,
        reportOptions: { ...days('2025-03-01', '2025-03-01'), timezone: 'UTC' },
      });
      const [day] = body.formattedChartData;
      return [day.pageViews, day.totalSessions, day.unitsSold, day.lineItemCount, day.sales];
    };
    // A 50 + 60, B 50 + 50, C 50 + 50; sessions 40 each.
    assert.deepEqual(await viewsOf([]), [310, 240, 14, 7, '70.00']);
    assert.deepEqual(await viewsOf(['A2']), [50, 40, 2, 1, '10.00']);
    assert.deepEqual(await viewsOf(['A1', 'A2']), [50, 40, 4, 2, '20.00']);
    assert.deepEqual(await viewsOf(['A2', 'A3', 'B1', 'B2']), [210, 160, 8, 4, '40.00']);
    const titled = async (view: string) =>
      (await csvOf(world(), own, 'trafficAndConversion', { ...march, view })).rows.map((row) => [
        row[1],
        ...(view === 'skus' ? [row[2]] : []),
        row[view === 'skus' ? 4 : 2],
      ]);
    // On the second day, A2 alone has the traffic of its product.
    const skus = (await titled('skus')).map((row) => row.join(' ')).sort();
    assert.deepEqual(skus, ['A A1 50', 'A A2 100', 'A A3 60', 'B1 B1 50', 'B2 B2 50', 'C  100']);
    const parents = await titled('parents');
    assert.equal(
      parents.reduce((sum, [, views]) => sum + Number(views), 0),
      50 + 60 + 100 + 100 + 50,
    );
  });

  testOnce(
    'A SKU belongs to the product and the parent that it was seen with last; other channels do not count',
    async () => {
      const moved = await world().tenant();
      await importRows(world(), 'products', moved.channelId, [
        { sku: 'S', productId: 'OLD', parentProductId: 'OLDER', title: 'T' },
      ]);
      await importRows(world(), 'traffic', moved.channelId, [
        seen('2025-03-01', 'S', 'Z1', [1, 1, 0], { parentProductId: 'ZP' }),
        seen('2025-03-02', 'S', 'A1', [2, 1, 0], { parentProductId: 'AP' }),
        seen('2025-03-03', 'S', '', [4, 1, 0], {}),
      ]);
      assert.deepEqual(await listed(world(), moved, march), [
        'T|AP|7||0.00||0|||0.0000||0.0000||3||0.00|||',
      ]);
      assert.deepEqual(await listed(world(), moved, { ...march, view: 'skus' }), [
        'T|A1|S||7||0.00||0|||0.0000||0.0000||3||0.00|||',
      ]);
    },
  );

  testOnce('A SKU that was seen without a product belongs to that of the catalogue', async () => {
    const named = await world().tenant();
    await importRows(world(), 'products', named.channelId, [
      { sku: 'S', productId: 'P', title: 'T' },
      { sku: 'R', productId: 'Q', title: 'U' },
    ]);
    await importRows(world(), 'traffic', named.channelId, [
      seen('2025-02-01', 'R', '', [3, 1, 0], {}),
      seen('2025-03-01', 'S', '', [5, 1, 0], {}),
      seen('2025-03-01', 'none', '', [4, 1, 0], {}),
    ]);
    const { rows } = await csvOf(world(), named, 'trafficAndConversion', {
      ...compared,
      view: 'skus',
    });
    assert.deepEqual(
      rows.map((row) => row.slice(0, 3)),
      [
        ['T', 'P', 'S'],
        ['', 'none', 'none'],
        ['U', 'Q', 'R'],
      ],
    );
  });
});

test('The report on SKUs does with little memory where it reads many rows of traffic', async () => {
  const spills: boolean[] = [];
  const world = await openWorld('embedded', {
    reports: { ...reports, trafficAndConversion: trafficByPages(100, 1) },
    between(warehouse) {
      const own: Pick<Warehouse, 'read'> = {
        read(channels, limits, use) {
          if (limits.spills !== undefined) spills.push(limits.spills);
          return warehouse.read(channels, limits, use);
        },
      };
      return overlay(warehouse, own);
    },
  });
  try {
    const tenant = await world.tenant();
    const view = async (name: string, options: object) =>
      (await csvOf(world, tenant, 'trafficAndConversion', { ...options, view: name })).rows.length;
    await importRows(world, 'traffic', tenant.channelId, [
      { date: '2025-02-28', sku: 'A', pageViews: 1, sessions: 1 },
      { date: '2025-03-01', sku: 'A', pageViews: 2, sessions: 1 },
    ]);
    assert.deepEqual([await view('skus', march), await view('skus', compared)], [1, 1]);
    assert.equal(await view('parents', compared), 1);
    assert.deepEqual(spills, [false, true, false]);
  } finally {
    await world.close();
  }
});

/** Units of a currency for a euro, from a date on. */
const published: Record<string, [date: string, perEuro: string][]> = {
  USD: [
    ['2025-03-01', '1.0713'],
    ['2025-03-04', '1.0931'],
  ],
  JPY: [['2025-03-02', '161.33']],
  EUR: [['2025-01-01', '1']],
};

function converted(amount: string, from: string, to: string, date: string): Decimal {
  const perEuro = (currency: string) => {
    const rates = published[currency]!;
    return (rates.filter(([since]) => since <= date).at(-1) ?? rates[0]!)[1];
  };
  return from === to ? new Exact(amount) : new Exact(amount).times(perEuro(to)).div(perEuro(from));
}

const skus = ['a', 'B', 'É', 'd', ''];
const productIds = ['P1', 'P2', 'P3', ''];
const parentIds = ['P1', 'F', 'G', ''];
const dates = fc.integer({ min: 1, max: 6 }).map((day) => `2025-03-0${day}`);
const cents = fc
  .integer({ min: 0, max: 99_999 })
  .map((amount) => new Exact(amount).div(100).toFixed(2));
const few = fc.integer({ min: 0, max: 9 });

const facts = fc.record({
  isNative: fc.boolean(),
  channelCurrency: fc.constantFrom('USD', 'EUR', 'JPY'),
  products: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom(...skus.slice(0, 4), 'other'),
      productId: fc.constantFrom(...productIds),
      parentProductId: fc.constantFrom(...parentIds),
      title: fc.constantFrom('', 'T1', 'T2', 'T3'),
      brand: fc.constantFrom('', 'X'),
      price: fc.constantFrom('0', '9.99', '12.5'),
    }),
    { selector: (row) => row.sku, maxLength: 5 },
  ),
  traffic: fc.uniqueArray(
    fc
      .record({
        date: dates,
        sku: fc.constantFrom(...skus),
        productId: fc.constantFrom(...productIds),
        parentProductId: fc.constantFrom(...parentIds),
        pageViews: few,
        sessions: few,
        mobileSessions: few,
        buyBoxPercentage: fc.constantFrom(undefined, 0, 33.33, 100),
        orderedRevenue: cents,
        orderedUnits: few,
        currency: fc.constantFrom('USD', 'EUR', 'JPY'),
      })
      .filter(({ sku, productId }) => sku !== '' || productId !== ''),
    { selector: (row) => row.date + row.sku + row.productId, maxLength: 25, size: 'max' },
  ),
});
const questions = fc.record({
  view: fc.constantFrom('parents', 'skus'),
  current: fc.tuple(dates, dates),
  prior: fc.option(fc.tuple(dates, dates)),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;
type Span = readonly [string, string];

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inOrder = ([a, b]: Span): Span => (a <= b ? [a, b] : [b, a]);

/** The rows as they follow from going through products one by one. */
function expected(
  { products, traffic, channelCurrency: target }: Facts,
  { view, current, prior }: Question,
): string[] {
  const windows = [current, ...(prior === null ? [] : [prior])].map(inOrder);
  const within = ([first, last]: Span, date: string) => date >= first && date <= last;
  const inWindows = traffic.filter(({ date }) => windows.some((window) => within(window, date)));
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const places = target === 'JPY' ? 0 : 2;
  const pricePlaces = 2;

  type Item = { sku: string; productId: string; rows: typeof traffic };
  const items = new Map<string, Item>();
  for (const row of [...inWindows].sort((a, b) =>
    byBytes(a.date + a.productId, b.date + b.productId),
  )) {
    const name = row.sku === '' ? `product ${row.productId}` : `sku ${row.sku}`;
    const item = items.get(name) ?? { sku: row.sku, productId: '', rows: [] };
    item.productId = row.productId || item.productId;
    item.rows.push(row);
    items.set(name, item);
  }

  type Listed = {
    productSku: string;
    sku: string;
    title: string;
    brand: string;
    offered: string;
    rows: typeof traffic;
  };
  const children = [...items.values()].map(
    (item): Listed & { views: number; productId: string } => {
      const entry = products.find(({ sku }) => sku === item.sku);
      const productId = item.productId || entry?.productId || '';
      const siblings = bySku.filter(
        (product) => product.productId === productId && productId !== '',
      );
      const reported = item.rows
        .map((row) => row.parentProductId)
        .filter((parent) => parent !== '');
      const catalogued = siblings.map((product) => product.parentProductId).sort(byBytes);
      const parent = reported.at(-1) || entry?.parentProductId || catalogued.at(-1) || '';
      const prices = [
        ...new Set(siblings.map(({ price }) => price).filter((price) => price !== '0')),
      ];
      const offered =
        item.sku === '' ? (prices.length === 1 ? prices[0]! : '0') : (entry?.price ?? '0');
      return {
        productSku: (view === 'parents' && parent) || productId || item.sku,
        productId,
        sku: view === 'parents' ? '' : item.sku,
        title:
          entry?.title || siblings.map(({ title }) => title).find((title) => title !== '') || '',
        brand:
          entry?.brand || siblings.map(({ brand }) => brand).find((brand) => brand !== '') || '',
        offered,
        rows: item.rows,
        views: item.rows
          .filter(({ date }) => within(windows[0]!, date))
          .reduce((sum, row) => sum + row.pageViews, 0),
      };
    },
  );

  const grouped = new Map<string, Listed>();
  for (const child of children.sort(
    (a, b) =>
      b.views - a.views ||
      byBytes(a.rows[0]!.sku, b.rows[0]!.sku) ||
      byBytes(a.productId, b.productId),
  )) {
    const name = `${child.productSku} ${child.sku}`;
    const held = grouped.get(name);
    if (held === undefined) grouped.set(name, { ...child, rows: [...child.rows] });
    else {
      held.rows.push(...child.rows);
      held.title ||= child.title;
    }
  }

  const ratio = (part: Decimal.Value, whole: Decimal.Value, places: number) =>
    new Exact(whole).gt(0) ? new Exact(part).div(whole).toFixed(places) : '';
  const sums = (rows: typeof traffic, window: Span) => {
    const own = rows.filter(({ date }) => within(window, date));
    const count = (name: 'pageViews' | 'sessions' | 'mobileSessions' | 'orderedUnits') =>
      own.reduce((sum, row) => sum + row[name], 0);
    const known = own.filter(({ buyBoxPercentage }) => buyBoxPercentage !== undefined);
    return {
      views: count('pageViews'),
      sessions: count('sessions'),
      mobile: count('mobileSessions'),
      units: count('orderedUnits'),
      revenue: own.reduce(
        (sum, { orderedRevenue, currency, date }) =>
          sum.plus(converted(orderedRevenue, currency, target, date)),
        new Exact(0),
      ),
      weighted: known.reduce(
        (sum, { buyBoxPercentage, pageViews }) =>
          sum.plus(new Exact(buyBoxPercentage!).times(pageViews)),
        new Exact(0),
      ),
      knownViews: known.reduce((sum, { pageViews }) => sum + pageViews, 0),
    };
  };
  const cells = (rows: typeof traffic, window: Span) => {
    const { views, sessions, mobile, units, revenue, weighted, knownViews } = sums(rows, window);
    return [
      String(views),
      revenue.toFixed(places),
      String(units),
      ratio(units, views, 4),
      ratio(units, sessions, 4),
      String(sessions),
      ratio(mobile * 100, sessions, 2),
      ratio(weighted, knownViews, 2),
    ];
  };

  return [...grouped.values()]
    .filter(({ rows }) =>
      rows.some(({ pageViews, sessions, orderedUnits }) => pageViews + sessions + orderedUnits > 0),
    )
    .map((row) => ({ ...row, now: sums(row.rows, windows[0]!) }))
    .sort(
      (a, b) =>
        b.now.views - a.now.views || byBytes(a.productSku, b.productSku) || byBytes(a.sku, b.sku),
    )
    .map(({ productSku, sku, title, brand, offered, rows, now }) => {
      const own = bySku
        .filter((product) => product.productId === productSku)
        .map((product) => product.title);
      const shown = view === 'parents' ? own.find((one) => one !== '') || title : title;
      const current = cells(rows, windows[0]!);
      const before = windows[1] === undefined ? current.map(() => '') : cells(rows, windows[1]);
      const offer = offered === '0' ? '' : new Exact(offered).toFixed(pricePlaces);
      const price = view === 'parents' ? ratio(now.revenue, now.units, pricePlaces) : offer;
      const pairs = current.flatMap((cell, place) => [cell, before[place]!]);
      const names = view === 'parents' ? [shown, productSku] : [shown, productSku, sku, brand];
      return [...names, ...pairs.slice(0, 6), price, ...pairs.slice(6)].join('|');
    });
}

onRandomFacts('Traffic and conversion of random products', define, {
  // By pages of a few rows, as those of many products are.
  reports: { ...reports, trafficAndConversion: trafficByPages(2) },
});

function define(world: () => World): void {
  before(async () => {
    const rates = ['USD', 'JPY'].flatMap((currency) =>
      published[currency]!.map(([date, perEuro]) => ({ date, currency, perEuro })),
    );
    await importRows(world(), 'exchangeRates', undefined, rates);
  });

  test('equals a plain recomputation, whatever the view, the windows and the currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.array(questions, { minLength: 3, maxLength: 3 }),
        async (drawn, askedList) => {
          const given: Facts = {
            ...drawn,
            traffic: drawn.traffic.map((row) =>
              drawn.isNative ? { ...row, currency: drawn.channelCurrency } : row,
            ),
          };
          const tenant = await world().tenant({
            channel: { timezone: 'Europe/Rome', currency: given.channelCurrency },
          });
          if (given.products.length > 0)
            await importRows(world(), 'products', tenant.channelId, given.products);
          if (given.traffic.length > 0)
            await importRows(world(), 'traffic', tenant.channelId, given.traffic);
          for (const asked of askedList) {
            const [first, last] = inOrder(asked.current);
            const prior = asked.prior && inOrder(asked.prior);
            const before = prior && days(prior[0], prior[1]);
            const found = await listed(world(), tenant, {
              ...days(first, last),
              ...(before && { priorFromDate: before.fromDate, priorToDate: before.toDate }),
              view: asked.view,
            });
            assert.deepEqual(found, expected(given, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 4 }) },
    );
  });
}
