/** Facts and rows of the report of traffic and conversion, and its plain recomputation. */
import fc from 'fast-check';
import {
  trafficAndConversion,
  trafficByPages,
} from '../../src/endpoints/reports/create/trafficAndConversion/report.ts';
import { byBytes, type Currency, converted, exact, placesOf, ratio, sumOf } from './exact.ts';
import { cents, dates, few, ownSkuOf } from './random.ts';
import type { Drawn, Recomputation } from './recomputation.ts';
import { conformanceOf } from './report.ts';
import { isIn, optionsOf, type Span, windows } from './windows.ts';

/** How products were seen and sold, and how that is shown. */
export const trafficConformance = {
  ...conformanceOf('trafficAndConversion', { channel: { timezone: 'Asia/Tokyo' } }),
  table: trafficAndConversion,
  byPages: trafficByPages,
};

const product = {
  productId: fc.constantFrom('P1', 'P2', 'P3', ''),
  parentProductId: fc.constantFrom('P1', 'F', 'G', ''),
};
const products = fc.uniqueArray(
  fc.record({
    sku: fc.constantFrom('a', 'B', 'É', 'd', 'other'),
    ...product,
    title: fc.constantFrom('', 'T1', 'T2', 'T3'),
    brand: fc.constantFrom('', 'X'),
    price: fc.constantFrom('0', '9.99', '12.5'),
  }),
  { selector: (row) => row.sku, maxLength: 5 },
);
const seen = (currency: fc.Arbitrary<Currency>) =>
  fc
    .record({
      date: dates,
      sku: fc.constantFrom('a', 'B', 'É', 'd', ''),
      ...product,
      pageViews: few,
      sessions: few,
      mobileSessions: few,
      orderedUnits: few,
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
      minLength: 8,
      maxLength: 25,
      size: 'max',
    }),
  });

const input = fc.record({ view: fc.constantFrom('parents', 'skus'), spans: windows(dates) });
type Given = Drawn<typeof given>;
type Seen = Given['traffic'][number];
type Input = Drawn<typeof input>;

/** The rows that repeat the traffic of their product on a day, which an earlier row has brought. */
function repeatsIn(traffic: readonly Seen[]): ReadonlySet<Seen> {
  const first = new Set<string>();
  const repeats = traffic.filter((row) => {
    const { date, productId, parentProductId, pageViews, sessions, mobileSessions } = row;
    const share = row.buyBoxPercentage;
    const buyBox = share === undefined ? [0, 0] : [pageViews, share * pageViews];
    const words = [date, productId, parentProductId, pageViews, sessions, mobileSessions, buyBox];
    const isRepeated = productId !== '' && first.has(words.join());
    first.add(words.join());
    return isRepeated;
  });
  return new Set(repeats);
}

/** The rows as they follow from going through products one by one. */
function expected({ products, traffic }: Given, { view, spans }: Input, target: Currency) {
  const inWindows = traffic.filter(({ date }) => spans.some((span) => isIn(span, date)));
  const bySku = [...products].sort((a, b) => byBytes(a.sku, b.sku));
  const places = placesOf(target);
  const pricePlaces = 2;
  // A SKU has all of its traffic, a parent that of each product once.
  const repeats = view === 'parents' ? repeatsIn(traffic) : new Set<Seen>();

  type Item = { sku: string; productId: string; rows: Seen[] };
  const items = new Map<string, Item>();
  for (const row of [...inWindows].sort((a, b) =>
    byBytes(a.date + a.productId, b.date + b.productId),
  )) {
    const sku = view === 'parents' ? row.sku : ownSkuOf(row, products);
    const name = sku === '' ? `product ${row.productId}` : `sku ${sku}`;
    const item = items.get(name) ?? { sku, productId: '', rows: [] };
    if (row.sku === sku) item.productId = row.productId || item.productId;
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
        .filter((row) => isIn(spans[0]!, row.date) && !repeats.has(row))
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
    const once = own.filter((row) => !repeats.has(row));
    const count = (name: 'pageViews' | 'sessions' | 'mobileSessions') =>
      once.reduce((sum, row) => sum + row[name], 0);
    const known = once.filter(({ buyBoxPercentage }) => buyBoxPercentage !== undefined);
    return {
      views: count('pageViews'),
      sessions: count('sessions'),
      mobile: count('mobileSessions'),
      units: own.reduce((sum, row) => sum + row.orderedUnits, 0),
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
export const trafficRecomputation: Recomputation<Given, Input> = {
  reportType: 'trafficAndConversion',
  table: trafficByPages(2),
  given,
  input,
  facts: (facts) => facts,
  options: ({ view, spans }) => ({ ...optionsOf(spans), view }),
  expected,
};
