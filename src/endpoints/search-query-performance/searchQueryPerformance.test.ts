/**
 * Search Query Performance: figures summed by product over two windows of months, their rates,
 * worth and currencies, sorting, pages, and what is refused. Random facts are recomputed in plain
 * decimals.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { converted, exact, inWinter, shown, winterRates } from '../../../test/conformance/exact.ts';
import { sortings } from '../../../test/conformance/list.ts';
import { type Answer, onOnePair, type Tenant, triesOn, type World } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { slowTest } from '../../../test/level.ts';
import { cents, type Drawn, each } from '../../../test/randomFacts.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../test/table.ts';
import { fieldsOf, importFacts } from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'searchQueryPerformance.tables.txt');

type Metrics = Record<string, number | string>;
type Row = { asin: string; current: Metrics; prior: Metrics };
type Page = {
  data: Row[];
  pagination: { pageIndex: number; pageSize: number; count: number };
  meta: { currency: string; dateRange: Record<string, string> };
};
type Query = Record<string, string | number>;

const at = (instant: string) => Date.parse(instant) / 1000;
const merchantId = 'A1MERCHANT @ ATVPDKIKX0DER';
const entitled = { searchQueryPerformance: true };
/** February and March 2025, and the same months of the year before. */
const dates = {
  fromDate: at('2025-02-10T12:00:00Z'),
  toDate: at('2025-03-10T12:00:00Z'),
  priorFromDate: at('2024-02-10T12:00:00Z'),
  priorToDate: at('2024-03-10T12:00:00Z'),
  timezone: 'America/Los_Angeles',
};

const queryOf = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
const get = (world: World, key: string, query: string): Promise<Answer> =>
  world.ask(key, 'GET', `/search-query-performance/asins?${query}`);

async function page(world: World, key: string, query: Query, more = ''): Promise<Page> {
  const whole = queryOf({ merchantId, ...dates, ...query });
  const { status, body } = await get(world, key, whole + more);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const metricNames =
  'searchQueryVolume, totalImpressions, impressions, impressionShare, totalClicks, clicks, ' +
  'clickShare, totalCtr, ctr, totalCartAdds, cartAdds, atcRate, totalPurchases, purchases, ' +
  'purchaseShare, totalCvr, cvr, currentRevenue, totalOpportunity, opportunity';
const zeros = Object.fromEntries(metricNames.split(', ').map((name) => [name, 0]));
const sortKeys = ['asin', ...Object.keys(zeros).filter((name) => name !== 'totalOpportunity')];
/** Metrics of a product in dollars; an empty cell is nothing. */
const inDollars = (csv: string): Metrics => ({
  ...zeros,
  ...rowsOf(`${metricNames}\n${csv}`)[0],
  currencyCode: 'USD',
});

onOnePair('The small world of search queries', (world) => {
  let tenant: Tenant;
  const pageOf = (query: Query, more = '') =>
    page(world(), tenant.key, { channelId: tenant.channelId, ...query }, more);
  const asins = async (query: Query, more = '') =>
    (await pageOf(query, more)).data.map((row) => row.asin);

  before(async () => {
    tenant = await world().tenant({ organisation: entitled, channel: { merchantId } });
    await importFacts(world(), tenant.channelId, tablesBeside(import.meta.url, 'facts.txt'));
  });

  test('200: figures are summed over queries and months, rates formed from sums, amounts rounded once', async () => {
    const { channelId, key } = tenant;
    const answer = await get(world(), key, queryOf({ channelId, merchantId, ...dates }));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    const ofB2 = inDollars('1000, , 2000, , , , , , , , , , 12, 10, 83.33, , , 200, 60');
    // Revenue is 20 x 12.50 + 4 x 9.99 + 1 x 7.005 = 296.965, the market 50 x 10.00 + 30 x
    // 9.99, and the rest 799.70 - 296.965 = 502.735: from what is shown it would be 502.73.
    const ofB1 = inDollars(
      '1511, 10012, 1504, 15.02, 502, 101, 20.12, 5.01, 6.72, 141, 41, 40.59, 85, 27, 31.76, ' +
        '16.93, 26.73, 296.97, 799.7, 502.74',
    );
    assert.deepEqual(answer.body, {
      data: [
        { asin: 'B3', current: inDollars(''), prior: inDollars('9, 8, 3, 37.5') },
        { asin: 'B2', current: ofB2, prior: inDollars('') },
        { asin: 'B1', current: ofB1, prior: inDollars('100, 200, 50, 25') },
      ],
      pagination: { pageIndex: 0, pageSize: 25, count: 3 },
      meta: {
        currency: 'USD',
        dateRange: fieldsOf(`
          fromDate,   toDate,     priorFromDate, priorToDate
          2025-02-01, 2025-03-31, 2024-02-01,    2024-03-31`),
      },
    });
  });

  /** Expects the dates of an answer, and of each product a metric, now and before. */
  const shows = async (query: Query, metric: string, ...expected: string[]) => {
    const { meta, data } = await pageOf(query);
    const figures = data.map((row) => `${row.asin} ${row.current[metric]} ${row.prior[metric]}`);
    assert.deepEqual([Object.values(meta.dateRange).join(' '), ...figures], expected);
  };

  test('200: the months are those of the dates in the requested time zone', async () => {
    // One instant: in Los Angeles still March 31st, in Auckland already April 1st.
    const instant = { fromDate: at('2025-03-31T12:00:00Z'), toDate: at('2025-03-31T12:00:00Z') };
    const west = '2025-03-01 2025-03-31 2024-02-01 2024-03-31';
    await shows(instant, 'searchQueryVolume', west, 'B3 0 9', 'B1 511 100');
    const inAuckland = { ...instant, timezone: 'Pacific/Auckland' };
    const east = '2025-04-01 2025-04-30 2024-02-01 2024-03-31';
    await shows(inAuckland, 'searchQueryVolume', east, 'B1 0 100', 'B3 0 9', 'B4 9 0');
  });

  test('200: a window of one month, leap days, and windows that overlap or are the same', async () => {
    const leap = at('2024-02-29T12:00:00Z');
    const same = { fromDate: leap, toDate: leap, priorFromDate: leap, priorToDate: leap };
    await shows(same, 'impressions', '2024-02-01 2024-02-29 2024-02-01 2024-02-29', 'B1 50 50');
    const [priorFromDate, priorToDate] = [at('2025-01-01T12:00:00Z'), at('2025-02-01T12:00:00Z')];
    const overlapping = { priorFromDate, priorToDate, sortKey: 'asin' };
    const range = '2025-02-01 2025-03-31 2025-01-01 2025-02-28';
    const rows = ['B1 1504 1000', 'B2 2000 2000', 'B4 0 9999'];
    await shows(overlapping, 'impressions', range, ...rows);
  });

  test('200: with asins only those that have figures in either period, however the parameter is repeated', async () => {
    const repeated = ['&asins=B3&asins=B1&asins=B4', '&asins[]=B3&asins[]=B1'];
    for (const more of [...repeated, '&asins=B3,B1,nothing', '&asins%5B%5D=B1&asins=B3,B3,B1'])
      assert.deepEqual(await asins({}, more), ['B3', 'B1'], more);
    const none = await pageOf({}, '&asins=nothing');
    assert.deepEqual([none.data, none.pagination], [[], { pageIndex: 0, pageSize: 25, count: 0 }]);
    assert.deepEqual(await asins({}, '&asins=b1'), []);
  });

  test('200: a request may name fifty products at most, however often', async () => {
    const asins = Array.from({ length: 60 }, (_, place) => `B${place % 50}`).join(',');
    await pageOf({ asins });
  });

  test('200: a page past the end is empty and still counts all rows', async () => {
    for (const input of [
      { pageIndex: 2, pageSize: 2 },
      { pageIndex: 1e9, pageSize: 50 },
    ]) {
      const { data, pagination } = await pageOf(input);
      assert.deepEqual([data, pagination], [[], { ...input, count: 3 }]);
    }
  });

  test('200: a vendor channel of the primary marketplace is answered, and one without figures has no rows', async () => {
    const vendor = { merchantId, kind: 'vendor', marketplace: 'PrimaryMkt' } as const;
    await world().channel(tenant.organisationId, 'vendor', vendor);
    const { data, pagination } = await pageOf({ channelId: 'vendor' });
    assert.deepEqual([data, pagination.count], [[], 0]);
  });

  test('200: months in which nothing can be are answered with zeros', async () => {
    const { dateRange } = (await pageOf({ toDate: 99_999_999_999, priorFromDate: 0 })).meta;
    assert.deepEqual([dateRange.toDate, dateRange.priorFromDate], ['5138-11-30', '1969-12-01']);
  });

  test('200: without asins the most shown ones, as many as the entitlement allows; the count is taken after that', async () => {
    const { organisationId, key, channelId } = await world().tenant({
      organisation: { ...entitled, searchQueryProductMax: 2 },
      channel: { merchantId },
    });
    await importFacts(world(), channelId, {
      // The month before is not requested.
      searchQueries: tables.capped!,
    });
    const of = async (more: string) => {
      const { data, pagination } = await page(world(), key, { channelId }, more);
      return [data.map((row) => row.asin), pagination.count];
    };
    // A1 and A3 were shown equally often.
    for (const [more, ...found] of listsOf(tables.cappedPages!))
      assert.deepEqual(await of(more), [found, 2], more);
    const three = queryOf({ channelId, merchantId, ...dates, asins: 'A1,A2,A3' });
    const many = await get(world(), key, three);
    const error = 'asins must have at most 2 different entries: the limit of your organisation';
    assert.deepEqual([many.status, many.body], [400, { status: 'error', error }]);
    await world().operate('PATCH', `/operator/organisations/${organisationId}`, {
      searchQueryProductMax: 3,
    });
    assert.deepEqual(await of('&asins=A1,A2,A3'), [['A1', 'A2', 'A3'], 3]);
  });
});

onOnePair('Search queries in other currencies', (world) => {
  let tenant: Tenant;
  before(async () => {
    const channel = { merchantId, currency: 'EUR' };
    tenant = await world().tenant({ organisation: entitled, channel });
    // February has 14 days of the one rate of the dollar and 14 of the other.
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    await importFacts(world(), tenant.channelId, { searchQueries: tables.foreignQueries! });
  });
  const rows = async (query: Query, more = '') => {
    const input = { channelId: tenant.channelId, sortKey: 'asin', ...query };
    return (await page(world(), tenant.key, input, more)).data;
  };
  const amounts = async (query: Query, more = '') =>
    Object.fromEntries(
      (await rows(query, more)).map(({ asin, current, prior }) => {
        const of = ({ currentRevenue, totalOpportunity, opportunity, currencyCode }: Metrics) =>
          [currentRevenue, totalOpportunity, opportunity, currencyCode].join(' ');
        return [asin, [of(current), of(prior)]];
      }),
    );

  test('200: a month is converted at the mean of its days, the last rate held on where none was published; USD by default', async () => {
    assert.deepEqual(await amounts({}), {
      // 100.01 x (14 x 1.00 + 14 x 1.25) / 28 + 100.01 x 1.25 = 237.52375, and 300 x 1.125 + 300 x
      // 1.25
      E1: ['237.52 712.5 474.98 USD', '0 0 0 USD'],
      U1: ['100.01 300 199.99 USD', '100.01 300 199.99 USD'],
    });
  });

  test('200: the mean is that of the factors of the days, not their inverse; the first rate holds before it', async () => {
    assert.deepEqual(await amounts({ currency: 'eur' }), {
      E1: ['200.02 600 399.98 EUR', '0 0 0 EUR'],
      // 100.01 x (14 / 1.00 + 14 / 1.25) / 28 = 90.009; a year before at 1 / 1.00
      U1: ['90.01 270 179.99 EUR', '100.01 300 199.99 EUR'],
    });
  });

  test('200: a currency without minor units has whole amounts', async () => {
    assert.deepEqual(await amounts({ currency: 'JPY' }, '&asins=E1'), {
      E1: ['32003 96000 63997 JPY', '0 0 0 JPY'],
    });
  });

  test('200: rows are sorted by converted amounts', async () => {
    for (const [sortOrder, asins] of Object.entries({ asc: ['U1', 'E1'], desc: ['E1', 'U1'] })) {
      const sorted = await rows({ sortKey: 'currentRevenue', sortOrder, currency: 'JPY' });
      assert.deepEqual(
        sorted.map(({ asin }) => asin),
        asins,
        sortOrder,
      );
    }
  });

  test('200: the own currency needs no rate', async () => {
    const { organisationId, key } = tenant;
    await world().channel(organisationId, 'own', { merchantId, currency: 'XTS' });
    const { meta } = await page(world(), key, { channelId: 'own', currency: 'xts' });
    assert.equal(meta.currency, 'XTS');
  });
});

// Recomputed in plain decimals by the rules as they are written, without any of the code.
const factors = new Map<string, Decimal>();

/** The mean, over all days of a month, of the factor of the day; it takes long to compute. */
function factor(currency: string, target: string, month: string): Decimal {
  const key = `${currency} ${target} ${month}`;
  const known = factors.get(key);
  if (known !== undefined) return known;
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  let sum = exact(0);
  for (let day = 1; day <= length; day++) {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    sum = sum.plus(converted(1, currency, target, date, winterRates));
  }
  factors.set(key, sum.div(length));
  return sum.div(length);
}

const asinsKnown = ['B01', 'B02', 'B03', 'B04', 'B05', 'B06', 'B07', 'B08'];
const monthsKnown = ['2024-10', '2024-11', '2024-12', '2025-01', '2025-02', '2025-03', '2025-04'];
const counts = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 60 }) },
  fc.constant(0),
  fc.nat({ max: 5_000_000 }),
);
const prices = fc.oneof(
  { weight: 4, arbitrary: cents(1, 20_000) },
  fc.integer({ min: 1, max: 99_999_999 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  fc.constantFrom('', '0'),
);
const shownNames = ['searchQueryVolume', 'totalImpressions', 'impressions'] as const;
const clickedNames = ['totalClicks', 'clicks', 'totalCartAdds', 'cartAdds'] as const;
const countNames = [...shownNames, ...clickedNames, 'totalPurchases', 'purchases'] as const;
const priceNames = ['totalMedianPurchasePrice', 'medianPurchasePrice', 'medianClickPrice'] as const;
const fact = fc.record({
  month: fc.constantFrom(...monthsKnown),
  asin: fc.constantFrom(...asinsKnown),
  searchQuery: fc.constantFrom('lamp', 'lampe', 'ランプ', 'red lamp'),
  currency: fc.constantFrom('', '', '', 'USD', 'GBP', 'JPY', 'EUR'),
  ...each(countNames, counts),
  ...each(priceNames, prices),
});
type Fact = Drawn<typeof fact>;

function metricsByHand(facts: readonly Fact[], own: string, target: string): Metrics {
  const sum = (name: (typeof countNames)[number]) =>
    facts.reduce((total, fact) => total + fact[name], 0);
  const sums = Object.fromEntries(countNames.map((name) => [name, sum(name)]));
  const money = (worth: (fact: Fact) => Decimal) =>
    facts.reduce((sum, fact) => {
      const currency = fact.currency || own;
      return sum.plus(
        currency === target ? worth(fact) : worth(fact).times(factor(currency, target, fact.month)),
      );
    }, exact(0));
  const percent = (part: (typeof countNames)[number], whole: (typeof countNames)[number]) =>
    sum(whole) === 0 ? 0 : shown(exact(sum(part)).times(100).div(sum(whole)), 2);
  const price = ({ medianPurchasePrice, totalMedianPurchasePrice, medianClickPrice }: Fact) =>
    [medianPurchasePrice, totalMedianPurchasePrice, medianClickPrice].find(
      (text) => Number(text) > 0,
    ) ?? 0;
  const revenue = money((fact) => exact(price(fact)).times(fact.purchases));
  const market = money((fact) =>
    exact(fact.totalMedianPurchasePrice || 0).times(fact.totalPurchases),
  );
  const places = target === 'JPY' ? 0 : 2;
  return {
    ...sums,
    impressionShare: percent('impressions', 'totalImpressions'),
    clickShare: percent('clicks', 'totalClicks'),
    totalCtr: percent('totalClicks', 'totalImpressions'),
    ctr: percent('clicks', 'impressions'),
    atcRate: percent('cartAdds', 'clicks'),
    purchaseShare: percent('purchases', 'totalPurchases'),
    totalCvr: percent('totalPurchases', 'totalClicks'),
    cvr: percent('purchases', 'clicks'),
    currentRevenue: shown(revenue, places),
    totalOpportunity: shown(market, places),
    opportunity: shown(Decimal.max(0, market.minus(revenue)), places),
    currencyCode: target,
  };
}

/** A number of different facts. */
const facts = (minLength: number, maxLength: number) =>
  fc.uniqueArray(fact, {
    minLength,
    maxLength,
    selector: ({ month, asin, searchQuery }) => month + asin + searchQuery,
  });
const instants = fc
  .tuple(
    fc.constantFrom(...monthsKnown),
    fc.constantFrom('01T00:00', '01T07:59', '01T08:00', '15T12:00', '28T23:59'),
  )
  .map(([month, rest]) => at(`${month}-${rest}:00Z`));
const windows = fc.tuple(instants, instants).map((both) => both.sort((one, other) => one - other));
const zones = 'UTC America/Los_Angeles Pacific/Auckland Asia/Kathmandu Europe/London'.split(' ');
const inputs = fc
  .record({
    window: windows,
    prior: windows,
    timezone: fc.constantFrom(...zones),
    currency: fc.constantFrom<string>('USD', 'GBP', 'JPY', 'EUR'),
    sortKey: fc.constantFrom(...sortKeys),
    sortOrder: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
    asins: fc.oneof(fc.constant<string[]>([]), fc.subarray(asinsKnown, { minLength: 1 })),
    most: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ window, prior, ...rest }) => {
    const [[fromDate, toDate], [priorFromDate, priorToDate]] = [window, prior] as [Ends, Ends];
    return { ...rest, fromDate, toDate, priorFromDate, priorToDate };
  });
type Ends = [from: number, to: number];
type Input = Drawn<typeof inputs>;

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function rowsByHand(
  facts: readonly Fact[],
  currencyOfStore: string,
  { asins, most, currency, sortKey, sortOrder, ...input }: Input,
): Row[] {
  const monthOf = (instant: number) =>
    new Date(instant * 1000).toLocaleDateString('sv-SE', { timeZone: input.timezone }).slice(0, 7);
  const within = (from: number, to: number) => {
    const [first, last] = [monthOf(from), monthOf(to)];
    return facts.filter(({ month }) => month >= first && month <= last);
  };
  const current = within(input.fromDate, input.toDate);
  const prior = within(input.priorFromDate, input.priorToDate);
  const of = (facts: readonly Fact[], asin: string) => {
    const own = facts.filter((fact) => fact.asin === asin);
    return metricsByHand(own, currencyOfStore, currency);
  };
  const rows = [...new Set([...current, ...prior].map(({ asin }) => asin))].map((asin) => ({
    asin,
    current: of(current, asin),
    prior: of(prior, asin),
  }));
  const impressions = (row: Row) => row.current.impressions as number;
  const byImpressions = (one: Row, other: Row) =>
    impressions(other) - impressions(one) || compareTexts(one.asin, other.asin);
  const chosen =
    asins.length > 0
      ? rows.filter(({ asin }) => asins.includes(asin))
      : rows.sort(byImpressions).slice(0, most);
  const way = sortOrder === 'asc' ? 1 : -1;
  const keyOf = ({ asin, current }: Row) => (sortKey === 'asin' ? asin : current[sortKey]!);
  return chosen.sort((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return left === right ? compareTexts(one.asin, other.asin) : (left < right ? -1 : 1) * way;
  });
}

/** All pages, one after the other. */
async function everyRow(
  world: World,
  key: string,
  channelId: string,
  input: Input,
  pageSize: number,
): Promise<Row[]> {
  const { asins, most, ...query } = input;
  const repeated = asins.map((asin) => `&asins=${asin}`).join('');
  const rows: Row[] = [];
  for (let pageIndex = 0; ; pageIndex++) {
    const paged = { channelId, ...query, pageSize, pageIndex };
    const { data, pagination } = await page(world, key, paged, repeated);
    rows.push(...data);
    if (rows.length === pagination.count) return rows;
    assert.equal(data.length, pageSize);
  }
}

onOnePair(
  'Search queries, recomputed',
  (world) => {
    /** A channel with facts, of an organisation that may request a number of products. */
    async function shop(given: readonly object[], currency: string, searchQueryProductMax: number) {
      const organisation = { ...entitled, searchQueryProductMax };
      const tenant = await world().tenant({ organisation, channel: { merchantId, currency } });
      await importRows(world(), 'searchQueries', tenant.channelId, given);
      return tenant;
    }

    slowTest('any facts, months, zones, currencies and caps equal decimal sums', async () => {
      const owns = fc.constantFrom('USD', 'GBP', 'JPY', 'EUR');
      const questions = fc.array(inputs, { minLength: 4, maxLength: 4 });
      const check = async (given: readonly Fact[], own: string, asking: readonly Input[]) => {
        const { most } = asking[0]!;
        const { key, channelId } = await shop(given, own, most);
        for (const [place, question] of asking.entries()) {
          const ask = place % 2 === 0 ? world().ask : world().askUncached;
          const input = { ...question, most, asins: question.asins.slice(0, most) };
          const found = await everyRow({ ...world(), ask }, key, channelId, input, 3);
          assert.deepEqual(found, rowsByHand(given, own, input), JSON.stringify({ own, input }));
        }
      };
      const numRuns = triesOn(world(), { embedded: 10, served: 3 });
      await fc.assert(fc.asyncProperty(facts(5, 60), owns, questions, check), { numRuns });
    });

    test('an amount that is half a unit of the currency goes away from zero, whatever noise the mean of a month has', async () => {
      const given = rowsOf(`month, asin, searchQuery, totalPurchases, totalMedianPurchasePrice
      2024-10, B05, lamp, 55, "130.00"`);
      const { key, channelId } = await shop(given, 'EUR', 50);
      const [fromDate, toDate] = [at('2024-10-01T00:00:00Z'), at('2024-10-05T00:00:00Z')];
      const query = { channelId, fromDate, toDate, timezone: 'UTC', currency: 'JPY' };
      const { data } = await page(world(), key, query);
      // 7,150 EUR at 163.41 on every day of the month are 1,168,381.5 JPY.
      assert.equal(data[0]!.current.totalOpportunity, 1_168_382);
    });

    test('every column sorts, and its pages have every row once', async () => {
      const [given] = fc.sample(facts(150, 150), { seed: 7, numRuns: 1 });
      const asinOf = (place: number) => `B${String(place % 31).padStart(2, '0')}`;
      const many = given!.map((one, place) => ({ ...one, asin: asinOf(place) }));
      const keyed = many.map((one) => [one.month + one.asin + one.searchQuery, one] as const);
      const unique = [...new Map(keyed).values()];
      const { key, channelId } = await shop(unique, 'USD', 29);
      const window = { fromDate: at('2024-12-05T00:00:00Z'), toDate: at('2025-03-05T00:00:00Z') };
      const prior = {
        priorFromDate: at('2024-10-05T00:00:00Z'),
        priorToDate: at('2024-11-05T00:00:00Z'),
      };
      const input = { ...window, ...prior, timezone: 'UTC', asins: [], most: 29 };
      for (const { sortKey, sortOrder } of sortings(sortKeys)) {
        const currency = sortOrder === 'asc' ? 'USD' : 'GBP';
        const sorted = { ...input, sortKey, sortOrder, currency };
        const expected = rowsByHand(unique, 'USD', sorted);
        assert.equal(expected.length, 29);
        const found = await everyRow(world(), key, channelId, sorted, 7);
        assert.deepEqual(found, expected, `${sortKey} ${sortOrder}`);
      }
    });
  },
  { begins: inWinter },
);
