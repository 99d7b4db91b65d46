/** Facts and rows of the report of traffic and conversion, and its plain recomputation. */
import fc from 'fast-check';
import {
  trafficAndConversion,
  trafficByPages,
} from '../../src/endpoints/reports/create/trafficAndConversion/report.ts';
import { rowsOf } from '../table.ts';
import { byBytes, type Currency, converted, exact, placesOf, ratio, sumOf } from './exact.ts';
import { cents, dates, few } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { type Conformance, days } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

const february = days('2025-02-01', '2025-02-28');
/** March 2025 in UTC, beside the month before. */
export const marchBesideFebruary = {
  ...days('2025-03-01', '2025-03-31'),
  ...{ priorFromDate: february.fromDate, priorToDate: february.toDate },
};
const figures =
  'pageViews,priorPageViews,orderedRevenue,priorOrderedRevenue,orderedUnits,priorOrderedUnits,' +
  'price,unitsPerView,priorUnitsPerView,unitsPerSession,priorUnitsPerSession,sessions,' +
  'priorSessions,mobileSessionsPercentage,priorMobileSessionsPercentage,buyboxWinPercentage,' +
  'priorBuyboxWinPercentage';

/** How products were seen and sold, and how that is shown. */
export const trafficConformance: Conformance = {
  reportType: 'trafficAndConversion',
  table: trafficAndConversion,
  byPages: trafficByPages,
  channel: { timezone: 'Asia/Tokyo' },
  facts: {
    // Of one product two SKUs; the second is the first that has a title.
    products: rowsOf(`
      sku,    productId, parentProductId, title,                     brand,  price
      SKU-1,  C1,        P,               Child one,                 Brand,  19.99
      SKU-2,  C2,        P,               "Child ""two"", large",    Brand,  24.99
      SKU-P,  P,         ,                The family,                ,
      SKU-3,  S1,        ,                =SUM(A1),                  @brand,
      SKU-8A, C8,        ,                ,                          ,       5.00
      SKU-8B, C8,        ,                Eight,                     B8,     5.00`),
    // The parent of SKU-2 is known from the catalogue alone, and nothing of its featured offer. C9
    // has no SKUs, and its parent is reported on one of two days; C8 is in the catalogue by two
    // SKUs. The last three are the days around both windows, and the whole store.
    traffic: rowsOf(`
      date,       sku,   productId, pageViews, sessions, mobileSessions, parentProductId, buyBoxPercentage, orderedUnits, orderedRevenue
      2025-03-01, SKU-1, C1,        100,       80,       20,             P,               90,               10,           200.00
      2025-03-31, SKU-1, C1,        60,        50,       5,              P,               50,               2,            40.00
      2025-03-10, SKU-2, C2,        50,        40,       0,              ,                ,                 2,            50.02
      2025-02-28, SKU-2, C2,        10,        10,       1,              ,                100,              1,            9.99
      2025-03-02, "",    C9,        100,       60,       0,              Q
      2025-03-03, "",    C9,        50,        40,       0
      2025-03-03, "",    C8,        4,         3,        1,              ,                ,                 1,            4.50
      2025-03-05, SKU-3, S1,        0,         0,        0,              ,                ,                 1,            5.00
      2025-03-05, SKU-4, "",        0,         0,        0
      2025-03-05, SKU-6, "",        4,         4,        0
      2025-02-01, SKU-5, C5,        7,         6,        3
      2025-01-31, SKU-1, C1,        1000,      1000,     1000,           ,                ,                 1000,         1000.00
      2025-04-01, SKU-1, C1,        1000,      1000,     1000,           ,                ,                 1000,         1000.00
      2025-03-05, "",    "",        5000,      5000,     5000,           ,                ,                 5000,         5000.00`),
  },
  questions: [
    {
      options: marchBesideFebruary,
      columns: `title,productSku,${figures}`,
      // 290.02 for 14 units, 14 of 210 views and of 170 sessions, 25 of them mobile; 90 % of 100
      // views and 50 % of 60.
      rows: `
        The family|P|210|10|290.02|9.99|14|1|20.72|0.0667|0.1000|0.0824|0.1000|170|10|14.71|10.00|75.00|100.00
        |Q|150|0|0.00|0.00|0|0||0.0000||0.0000||100|0|0.00|||
        Eight|C8|4|0|4.50|0.00|1|0|4.50|0.2500||0.3333||3|0|33.33|||
        |SKU-6|4|0|0.00|0.00|0|0||0.0000||0.0000||4|0|0.00|||
        |C5|0|7|0.00|0.00|0|0|||0.0000||0.0000|0|6||50.00||
        '=SUM(A1)|S1|0|0|5.00|0.00|1|0|5.00|||||0|0||||`,
      before: ['|C5|'],
    },
    {
      options: { ...marchBesideFebruary, view: 'skus' },
      columns: `title,productSku,sku,brand,${figures}`,
      rows: `
        Child one|C1|SKU-1|Brand|160|0|240.00|0.00|12|0|19.99|0.0750||0.0923||130|0|19.23||75.00|
        |C9|||150|0|0.00|0.00|0|0||0.0000||0.0000||100|0|0.00|||
        Child "two", large|C2|SKU-2|Brand|50|10|50.02|9.99|2|1|24.99|0.0400|0.1000|0.0500|0.1000|40|10|0.00|10.00||100.00
        Eight|C8||B8|4|0|4.50|0.00|1|0|5.00|0.2500||0.3333||3|0|33.33|||
        |SKU-6|SKU-6||4|0|0.00|0.00|0|0||0.0000||0.0000||4|0|0.00|||
        |C5|SKU-5||0|7|0.00|0.00|0|0|||0.0000||0.0000|0|6||50.00||
        '=SUM(A1)|S1|SKU-3|'@brand|0|0|5.00|0.00|1|0||||||0|0||||`,
      before: ['|C5|'],
    },
  ],
  // Seconds of the last of March in UTC are the first of April in Tokyo.
  zone: { options: { timezone: 'Asia/Tokyo' }, first: 'The family|P|1210|' },
};

const product = {
  productId: fc.constantFrom('P1', 'P2', 'P3', ''),
  parentProductId: fc.constantFrom('P1', 'F', 'G', ''),
};
const products = fc.uniqueArray(
  fc.record({
    ...{ sku: fc.constantFrom('a', 'B', 'É', 'd', 'other'), ...product },
    title: fc.constantFrom('', 'T1', 'T2', 'T3'),
    brand: fc.constantFrom('', 'X'),
    price: fc.constantFrom('0', '9.99', '12.5'),
  }),
  { selector: (row) => row.sku, maxLength: 5 },
);
const seen = (currency: fc.Arbitrary<Currency>) =>
  fc
    .record({
      ...{ date: dates, sku: fc.constantFrom('a', 'B', 'É', 'd', ''), ...product },
      ...{ pageViews: few, sessions: few, mobileSessions: few, orderedUnits: few },
      buyBoxPercentage: fc.constantFrom(undefined, 0, 33.33, 100),
      orderedRevenue: cents(),
      currency,
    })
    .filter(({ sku, productId }) => sku !== '' || productId !== '');
const given = (currency: fc.Arbitrary<Currency>) =>
  fc.record({
    products,
    traffic: fc.uniqueArray(seen(currency), {
      selector: (row) => row.date + row.sku + row.productId,
      ...{ minLength: 8, maxLength: 25, size: 'max' },
    }),
  });

const asked = fc.record({ view: fc.constantFrom('parents', 'skus'), spans: windows(dates) });
type Given = Drawn<typeof given>;
type Seen = Given['traffic'][number];
type Asked = Drawn<typeof asked>;

/** The rows as they follow from going through products one by one. */
function expected({ products, traffic }: Given, { view, spans }: Asked, target: Currency) {
  const inWindows = traffic.filter(({ date }) => spans.some((span) => isIn(span, date)));
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const places = placesOf(target);
  const pricePlaces = 2;

  type Item = { sku: string; productId: string; rows: Seen[] };
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

  const children = [...items.values()].map((item) => {
    const entry = products.find(({ sku }) => sku === item.sku);
    const productId = item.productId || entry?.productId || '';
    const siblings = bySku.filter((product) => product.productId === productId && productId !== '');
    const reported = item.rows.map((row) => row.parentProductId).filter((parent) => parent !== '');
    const catalogued = siblings.map((product) => product.parentProductId).sort(byBytes);
    const parent = reported.at(-1) || entry?.parentProductId || catalogued.at(-1) || '';
    const prices = new Set(siblings.map(({ price }) => price).filter((price) => price !== '0'));
    const only = prices.size === 1 ? [...prices][0]! : '0';
    const offered = item.sku === '' ? only : (entry?.price ?? '0');
    return {
      productSku: (view === 'parents' && parent) || productId || item.sku,
      productId,
      sku: view === 'parents' ? '' : item.sku,
      title: entry?.title || siblings.find(({ title }) => title !== '')?.title || '',
      brand: entry?.brand || siblings.find(({ brand }) => brand !== '')?.brand || '',
      offered,
      rows: item.rows,
      views: item.rows
        .filter(({ date }) => isIn(spans[0]!, date))
        .reduce((sum, row) => sum + row.pageViews, 0),
    };
  });

  const grouped = new Map<string, (typeof children)[number]>();
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

  const sums = (rows: readonly Seen[], span: Span<string>) => {
    const own = rows.filter(({ date }) => isIn(span, date));
    const count = (name: 'pageViews' | 'sessions' | 'mobileSessions' | 'orderedUnits') =>
      own.reduce((sum, row) => sum + row[name], 0);
    const known = own.filter(({ buyBoxPercentage }) => buyBoxPercentage !== undefined);
    return {
      views: count('pageViews'),
      sessions: count('sessions'),
      mobile: count('mobileSessions'),
      units: count('orderedUnits'),
      revenue: sumOf(
        own.map((row) => converted(row.orderedRevenue, row.currency, target, row.date)),
      ),
      weighted: sumOf(
        known.map(({ buyBoxPercentage, pageViews }) => exact(buyBoxPercentage!).times(pageViews)),
      ),
      knownViews: known.reduce((sum, { pageViews }) => sum + pageViews, 0),
    };
  };
  const cells = (rows: readonly Seen[], span: Span<string>) => {
    const { views, sessions, mobile, units, revenue, weighted, knownViews } = sums(rows, span);
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
    .map((row) => ({ ...row, now: sums(row.rows, spans[0]!) }))
    .sort(
      (a, b) =>
        b.now.views - a.now.views || byBytes(a.productSku, b.productSku) || byBytes(a.sku, b.sku),
    )
    .map(({ productSku, sku, title, brand, offered, rows, now }) => {
      const own = bySku.find((one) => one.productId === productSku && one.title !== '')?.title;
      const shown = view === 'parents' ? own || title : title;
      const current = cells(rows, spans[0]!);
      const before = spans[1] === undefined ? current.map(() => '') : cells(rows, spans[1]);
      const offer = offered === '0' ? '' : exact(offered).toFixed(pricePlaces);
      const price = view === 'parents' ? ratio(now.revenue, now.units, pricePlaces) : offer;
      const pairs = current.flatMap((cell, place) => [cell, before[place]!]);
      const names = view === 'parents' ? [shown, productSku] : [shown, productSku, sku, brand];
      return [...names, ...pairs.slice(0, 6), price, ...pairs.slice(6)].join('|');
    });
}

/** Traffic and conversion of random products. */
export const trafficRecomputation: Recomputation<Given, Asked> = {
  reportType: 'trafficAndConversion',
  table: trafficByPages(2),
  given,
  asked,
  facts: (facts) => facts,
  options: ({ view, spans }) => ({ ...optionsOf(spans), view }),
  expected,
};
