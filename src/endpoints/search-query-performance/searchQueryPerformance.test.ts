import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  type Answer,
  casesOn,
  directionsOf,
  onEachPair,
  onOnePair,
  type Tenant,
  triesOn,
  type World,
} from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';

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
  const { status, body } = await get(
    world,
    key,
    `${queryOf({ merchantId, ...dates, ...query })}${more}`,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const zeros = {
  searchQueryVolume: 0,
  totalImpressions: 0,
  impressions: 0,
  impressionShare: 0,
  totalClicks: 0,
  clicks: 0,
  clickShare: 0,
  totalCtr: 0,
  ctr: 0,
  totalCartAdds: 0,
  cartAdds: 0,
  atcRate: 0,
  totalPurchases: 0,
  purchases: 0,
  purchaseShare: 0,
  totalCvr: 0,
  cvr: 0,
  currentRevenue: 0,
  totalOpportunity: 0,
  opportunity: 0,
};
const sortKeys = ['asin', ...Object.keys(zeros).filter((name) => name !== 'totalOpportunity')];

onEachPair('The small world of search queries', (world) => {
  let tenant: Tenant;
  const rows = async (query: Query, more = '') =>
    (await page(world(), tenant.key, { channelId: 'us', ...query }, more)).data;
  const asins = async (query: Query, more = '') => (await rows(query, more)).map((row) => row.asin);

  before(async () => {
    tenant = await world().tenant({
      channelId: 'us',
      organisation: entitled,
      channel: { merchantId },
    });
    await importRows(world(), 'searchQueries', 'us', [
      {
        month: '2025-02',
        asin: 'B1',
        searchQuery: 'steel bottle',
        searchQueryVolume: 1000,
        totalImpressions: 8000,
        impressions: 1000,
        totalClicks: 400,
        clicks: 80,
        totalCartAdds: 100,
        cartAdds: 30,
        totalPurchases: 50,
        purchases: 20,
        totalMedianPurchasePrice: '10.00',
        medianPurchasePrice: '12.50',
        medianClickPrice: '11.00',
      },
      // Without a price of its own: the market's.
      {
        month: '2025-03',
        asin: 'B1',
        searchQuery: 'steel bottle',
        searchQueryVolume: 500,
        totalImpressions: 2000,
        impressions: 500,
        totalClicks: 100,
        clicks: 20,
        totalCartAdds: 40,
        cartAdds: 10,
        totalPurchases: 30,
        purchases: 4,
        totalMedianPurchasePrice: '9.99',
        medianClickPrice: '11.00',
      },
      // Without any price of purchases: that of clicks, and the market's purchases are worth
      // nothing.
      {
        month: '2025-03',
        asin: 'B1',
        searchQuery: 'blue bottle',
        searchQueryVolume: 1,
        totalImpressions: 7,
        impressions: 3,
        totalClicks: 2,
        clicks: 1,
        totalCartAdds: 1,
        cartAdds: 1,
        totalPurchases: 3,
        purchases: 1,
        medianClickPrice: '7.005',
      },
      // Without any price.
      {
        month: '2025-03',
        asin: 'B1',
        searchQuery: 'flask',
        searchQueryVolume: 10,
        totalImpressions: 5,
        impressions: 1,
        totalPurchases: 2,
        purchases: 2,
      },
      {
        month: '2024-02',
        asin: 'B1',
        searchQuery: 'flask',
        searchQueryVolume: 100,
        totalImpressions: 200,
        impressions: 50,
      },
      // Worth more than the market's.
      {
        month: '2025-02',
        asin: 'B2',
        searchQuery: 'lamp',
        searchQueryVolume: 1000,
        impressions: 2000,
        totalPurchases: 12,
        purchases: 10,
        totalMedianPurchasePrice: 5,
        medianPurchasePrice: 20,
      },
      {
        month: '2024-03',
        asin: 'B3',
        searchQuery: 'tent',
        searchQueryVolume: 9,
        totalImpressions: 8,
        impressions: 3,
      },
      {
        month: '2025-01',
        asin: 'B4',
        searchQuery: 'tent',
        searchQueryVolume: 9,
        impressions: 9999,
      },
      {
        month: '2025-04',
        asin: 'B4',
        searchQuery: 'tent',
        searchQueryVolume: 9,
        impressions: 9999,
      },
    ]);
  });

  test('200: figures are summed over queries and months, rates formed from sums, amounts rounded once', async () => {
    const answer = await get(
      world(),
      tenant.key,
      queryOf({ channelId: 'us', merchantId, ...dates }),
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.deepEqual(answer.body, {
      data: [
        {
          asin: 'B3',
          current: { ...zeros, currencyCode: 'USD' },
          prior: {
            ...zeros,
            searchQueryVolume: 9,
            totalImpressions: 8,
            impressions: 3,
            impressionShare: 37.5,
            currencyCode: 'USD',
          },
        },
        {
          asin: 'B2',
          current: {
            ...zeros,
            searchQueryVolume: 1000,
            impressions: 2000,
            totalPurchases: 12,
            purchases: 10,
            purchaseShare: 83.33,
            currentRevenue: 200,
            totalOpportunity: 60,
            currencyCode: 'USD',
          },
          prior: { ...zeros, currencyCode: 'USD' },
        },
        {
          asin: 'B1',
          current: {
            searchQueryVolume: 1511,
            totalImpressions: 10_012,
            impressions: 1504,
            impressionShare: 15.02,
            totalClicks: 502,
            clicks: 101,
            clickShare: 20.12,
            totalCtr: 5.01,
            ctr: 6.72,
            totalCartAdds: 141,
            cartAdds: 41,
            atcRate: 40.59,
            totalPurchases: 85,
            purchases: 27,
            purchaseShare: 31.76,
            totalCvr: 16.93,
            cvr: 26.73,
            // 20 x 12.50 + 4 x 9.99 + 1 x 7.005 = 296.965
            currentRevenue: 296.97,
            // 50 x 10.00 + 30 x 9.99
            totalOpportunity: 799.7,
            // 799.70 - 296.965 = 502.735: from what is shown it would be 502.73.
            opportunity: 502.74,
            currencyCode: 'USD',
          },
          prior: {
            ...zeros,
            searchQueryVolume: 100,
            totalImpressions: 200,
            impressions: 50,
            impressionShare: 25,
            currencyCode: 'USD',
          },
        },
      ],
      pagination: { pageIndex: 0, pageSize: 25, count: 3 },
      meta: {
        currency: 'USD',
        dateRange: {
          fromDate: '2025-02-01',
          toDate: '2025-03-31',
          priorFromDate: '2024-02-01',
          priorToDate: '2024-03-31',
        },
      },
    });
  });

  test('200: the months are those of the dates in the time zone that is asked for', async () => {
    // One instant: in Los Angeles still March 31st, in Auckland already April 1st.
    const instant = { fromDate: at('2025-03-31T12:00:00Z'), toDate: at('2025-03-31T12:00:00Z') };
    const west = await page(world(), tenant.key, { channelId: 'us', ...instant });
    assert.deepEqual(west.meta.dateRange, {
      fromDate: '2025-03-01',
      toDate: '2025-03-31',
      priorFromDate: '2024-02-01',
      priorToDate: '2024-03-31',
    });
    assert.deepEqual(
      west.data.map(({ asin, current }) => [asin, current.searchQueryVolume]),
      [
        ['B3', 0],
        ['B1', 511],
      ],
    );
    const east = await page(world(), tenant.key, {
      channelId: 'us',
      ...instant,
      timezone: 'Pacific/Auckland',
    });
    assert.deepEqual(
      [east.meta.dateRange.fromDate, east.meta.dateRange.toDate],
      ['2025-04-01', '2025-04-30'],
    );
    assert.deepEqual(
      east.data.map(({ asin, current }) => [asin, current.searchQueryVolume]),
      [
        ['B1', 0],
        ['B3', 0],
        ['B4', 9],
      ],
    );
  });

  test('200: a window of one month, leap days, and windows that overlap or are the same', async () => {
    const instant = at('2024-02-29T12:00:00Z');
    const same = {
      fromDate: instant,
      toDate: instant,
      priorFromDate: instant,
      priorToDate: instant,
    };
    const { data, meta } = await page(world(), tenant.key, { channelId: 'us', ...same });
    assert.deepEqual(meta.dateRange, {
      fromDate: '2024-02-01',
      toDate: '2024-02-29',
      priorFromDate: '2024-02-01',
      priorToDate: '2024-02-29',
    });
    assert.deepEqual(
      data.map(({ asin, current, prior }) => [asin, current.impressions, prior.impressions]),
      [['B1', 50, 50]],
    );
    const overlapping = {
      priorFromDate: at('2025-01-01T12:00:00Z'),
      priorToDate: at('2025-02-01T12:00:00Z'),
    };
    assert.deepEqual(
      (await rows({ ...overlapping, sortKey: 'asin' })).map(({ asin, current, prior }) => [
        asin,
        current.impressions,
        prior.impressions,
      ]),
      [
        ['B1', 1504, 1000],
        ['B2', 2000, 2000],
        ['B4', 0, 9999],
      ],
    );
  });

  test('200: with asins only those that have figures in either period, however the parameter is repeated', async () => {
    for (const more of [
      '&asins=B3&asins=B1&asins=B4',
      '&asins[]=B3&asins[]=B1',
      '&asins=B3,B1,nothing',
      '&asins%5B%5D=B1&asins=B3,B3,B1',
    ]) {
      assert.deepEqual(await asins({}, more), ['B3', 'B1'], more);
    }
    const none = await page(world(), tenant.key, { channelId: 'us' }, '&asins=nothing');
    assert.deepEqual([none.data, none.pagination], [[], { pageIndex: 0, pageSize: 25, count: 0 }]);
    assert.deepEqual(await asins({}, '&asins=b1'), []);
  });

  test('200: a page past the end is empty and still counts all rows', async () => {
    const { data, pagination } = await page(world(), tenant.key, {
      channelId: 'us',
      pageIndex: 2,
      pageSize: 2,
    });
    assert.deepEqual([data, pagination], [[], { pageIndex: 2, pageSize: 2, count: 3 }]);
    assert.equal(
      (await page(world(), tenant.key, { channelId: 'us', pageIndex: 1_000_000_000, pageSize: 50 }))
        .pagination.count,
      3,
    );
  });

  test('200: a merchantId with spaces and @ matches however it is encoded', async () => {
    const rest = queryOf({ channelId: 'us', ...dates });
    for (const encoded of [
      'A1MERCHANT%20%40%20ATVPDKIKX0DER',
      'A1MERCHANT+%40+ATVPDKIKX0DER',
      'A1MERCHANT+@+ATVPDKIKX0DER',
    ]) {
      assert.equal(
        (await get(world(), tenant.key, `${rest}&merchantId=${encoded}`)).status,
        200,
        encoded,
      );
    }
  });

  test('200: a vendor channel of the primary marketplace is answered, and one without figures has no rows', async () => {
    await world().channel(tenant.organisationId, 'vendor', {
      merchantId,
      kind: 'vendor',
      marketplace: 'PrimaryMkt',
    });
    const { data, pagination } = await page(world(), tenant.key, { channelId: 'vendor' });
    assert.deepEqual([data, pagination.count], [[], 0]);
  });

  test('200: months in which nothing can be are answered with zeros', async () => {
    const { meta } = await page(world(), tenant.key, {
      channelId: 'us',
      toDate: 99_999_999_999,
      priorFromDate: 0,
    });
    assert.deepEqual(
      [meta.dateRange.toDate, meta.dateRange.priorFromDate],
      ['5138-11-30', '1969-12-01'],
    );
  });

  test('200: without asins the most shown ones, as many as the entitlement allows; the count is taken after that', async () => {
    const capped = await world().tenant({
      channelId: 'capped',
      organisation: { ...entitled, searchQueryProductMax: 2 },
      channel: { merchantId },
    });
    const shown = { A1: 5, A2: 7, A3: 5, A4: 1 };
    await importRows(
      world(),
      'searchQueries',
      'capped',
      Object.entries(shown).map(([asin, impressions]) => ({
        month: '2025-02',
        asin,
        searchQuery: 'x',
        impressions,
        searchQueryVolume: 3,
      })),
    );
    // The month before is not asked for.
    await importRows(world(), 'searchQueries', 'capped', [
      { month: '2024-02', asin: 'A4', searchQuery: 'x', impressions: 1000 },
    ]);
    const of = async (more: string) => {
      const { data, pagination } = await page(world(), capped.key, { channelId: 'capped' }, more);
      return [data.map((row) => row.asin), pagination.count];
    };
    // A1 and A3 were shown equally often.
    assert.deepEqual(await of(''), [['A1', 'A2'], 2]);
    assert.deepEqual(await of('&pageSize=1&pageIndex=1'), [['A2'], 2]);
    assert.deepEqual(await of('&sortKey=asin&sortOrder=desc'), [['A2', 'A1'], 2]);
    assert.deepEqual(await of('&asins=A3&asins=A4&asins=A3'), [['A3', 'A4'], 2]);
    const many = await get(
      world(),
      capped.key,
      queryOf({ channelId: 'capped', merchantId, ...dates, asins: 'A1,A2,A3' }),
    );
    assert.deepEqual(
      [many.status, many.body],
      [
        400,
        {
          status: 'error',
          error: 'asins must have at most 2 different entries: the limit of your organisation',
        },
      ],
    );
    await world().operate('PATCH', `/operator/organisations/${capped.organisationId}`, {
      searchQueryProductMax: 3,
    });
    assert.deepEqual(await of('&asins=A1,A2,A3'), [['A1', 'A2', 'A3'], 3]);
  });
});

onOnePair('Search queries in other currencies', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant({
      channelId: 'de',
      organisation: entitled,
      channel: { merchantId, currency: 'EUR' },
    });
    await importRows(world(), 'exchangeRates', undefined, [
      // February has 14 days of the one and 14 of the other.
      { date: '2025-01-15', currency: 'USD', perEuro: '1.00' },
      { date: '2025-02-15', currency: 'USD', perEuro: '1.25' },
      { date: '2025-01-15', currency: 'JPY', perEuro: '160' },
    ]);
    const sold = (month: string, asin: string, currency: string) => ({
      month,
      asin,
      searchQuery: 'x',
      totalPurchases: 3,
      purchases: 1,
      totalMedianPurchasePrice: '100',
      medianPurchasePrice: '100.01',
      currency,
    });
    await importRows(world(), 'searchQueries', 'de', [
      sold('2025-02', 'E1', 'EUR'),
      sold('2025-03', 'E1', 'EUR'),
      sold('2025-02', 'U1', 'USD'),
      sold('2024-02', 'U1', 'USD'),
    ]);
  });
  const amounts = async (query: Query, more = '') =>
    Object.fromEntries(
      (
        await page(world(), tenant.key, { channelId: 'de', sortKey: 'asin', ...query }, more)
      ).data.map(({ asin, current, prior }) => {
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
    const order = async (sortOrder: string) =>
      (
        await page(world(), tenant.key, {
          channelId: 'de',
          sortKey: 'currentRevenue',
          sortOrder,
          currency: 'JPY',
        })
      ).data.map(({ asin }) => asin);
    assert.deepEqual(await order('asc'), ['U1', 'E1']);
    assert.deepEqual(await order('desc'), ['E1', 'U1']);
  });

  test('400: a currency without any rate is refused by its name, with and without amounts; 200: the own one needs none', async () => {
    const error = 'currency must be a currency with exchange rates: there is none of XQZ';
    for (const more of [{}, { fromDate: 0, toDate: 0, priorFromDate: 0, priorToDate: 0 }]) {
      const answer = await get(
        world(),
        tenant.key,
        queryOf({ channelId: 'de', merchantId, ...dates, ...more, currency: 'xqz' }),
      );
      assert.deepEqual([answer.status, answer.body], [400, { status: 'error', error }]);
    }
    await world().channel(tenant.organisationId, 'own', { merchantId, currency: 'XTS' });
    assert.equal(
      (await page(world(), tenant.key, { channelId: 'own', currency: 'xts' })).meta.currency,
      'XTS',
    );
  });
});

onOnePair('What the search queries refuse', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant({
      channelId: 'us',
      organisation: entitled,
      channel: { merchantId },
    });
    await world().channel(tenant.organisationId, 'web', {
      merchantId: 'web',
      marketplace: 'shopify',
    });
    await world().tenant({ channelId: 'foreign', organisation: entitled, channel: { merchantId } });
  });
  const unreachable = 'channelId and merchantId do not match a connected store';
  const primary = 'channelId must be a channel of the primary marketplace';
  const milliseconds = at('2025-02-01T00:00:00Z') * 1000;
  const fiftyOne = Array.from({ length: 51 }, (_, place) => `B${place}`).join(',');
  const keys =
    'asin, searchQueryVolume, totalImpressions, impressions, impressionShare, totalClicks, clicks, clickShare, totalCtr, ctr, totalCartAdds, ' +
    'cartAdds, atcRate, totalPurchases, purchases, purchaseShare, totalCvr, cvr, currentRevenue, opportunity';
  const unrated = 'currency must be a currency with exchange rates: there is none of XQZ';

  const cases: [Query | string, string][] = [
    [
      '',
      'channelId is required, merchantId is required, fromDate is required, toDate is required, priorFromDate is required, priorToDate is required, ' +
        'timezone is required',
    ],
    [{ channelId: '' }, 'channelId must not be empty'],
    [{ channelId: 'x'.repeat(201) }, 'channelId must have at most 200 characters'],
    [{ merchantId: '' }, 'merchantId must not be empty'],
    [{ merchantId: 'x'.repeat(201) }, 'merchantId must have at most 200 characters'],
    [{ channelId: 'nowhere' }, unreachable],
    [{ channelId: 'foreign' }, unreachable],
    [{ merchantId: 'A1MERCHANT@ATVPDKIKX0DER' }, unreachable],
    [{ merchantId: 'web' }, unreachable],
    [{ channelId: 'nowhere', pageSize: 0 }, `${unreachable}, pageSize must be at least 1`],
    [{ channelId: 'web', merchantId: 'web' }, primary],
    [
      { channelId: 'web', merchantId: 'web', pageSize: 0 },
      `${primary}, pageSize must be at least 1`,
    ],
    [
      { channelId: 'web', merchantId: 'web', fromDate: 'x', asins: fiftyOne, currency: 'XQZ' },
      `${primary}, fromDate must be an integer, asins must have at most 50 different entries: the limit of your organisation, ${unrated}`,
    ],
    [
      { channelId: 'web', merchantId: 'web', asins: fiftyOne },
      `${primary}, asins must have at most 50 different entries: the limit of your organisation`,
    ],
    ...['fromDate', 'toDate', 'priorFromDate', 'priorToDate'].flatMap((name): [Query, string][] => [
      [{ [name]: 'yesterday' }, `${name} must be an integer`],
      [{ [name]: '1.5' }, `${name} must be an integer`],
      [{ [name]: -1 }, `${name} must be at least 0`],
      [{ [name]: milliseconds }, `${name} must be in seconds and not in milliseconds`],
    ]),
    [{ fromDate: 2, toDate: 1 }, 'toDate must not be before fromDate'],
    [{ priorFromDate: 2, priorToDate: 1 }, 'priorToDate must not be before priorFromDate'],
    [{ timezone: '' }, 'timezone must not be empty'],
    [{ timezone: 'Mars/Olympus' }, 'timezone must be an IANA time zone'],
    [{ pageIndex: -1 }, 'pageIndex must be at least 0'],
    [{ pageIndex: 'x' }, 'pageIndex must be an integer'],
    [{ pageIndex: 1_000_000_001 }, 'pageIndex must be at most 1000000000'],
    [{ pageSize: 0 }, 'pageSize must be at least 1'],
    [{ pageSize: 51 }, 'pageSize must be at most 50'],
    [{ pageSize: 'all' }, 'pageSize must be an integer'],
    [
      `${queryOf({ channelId: 'us', merchantId, ...dates })}&pageSize=1&pageSize=2`,
      'pageSize must be given once',
    ],
    [{ sortKey: 'totalOpportunity' }, `sortKey must be ${keys.replaceAll(', ', ' or ')}`],
    [{ sortOrder: 'up' }, 'sortOrder must be asc or desc'],
    [{ asins: '' }, 'asins must not be empty'],
    [{ asins: `B1,${'x'.repeat(201)}` }, 'asins[1] must have at most 200 characters'],
    [{ asins: 'x,'.repeat(1001) }, 'asins must have at most 1000 entries'],
    [
      { asins: fiftyOne },
      'asins must have at most 50 different entries: the limit of your organisation',
    ],
    [{ currency: 'US' }, 'currency must be a currency code of three letters'],
    [{ currency: 'U1D' }, 'currency must be a currency code of three letters'],
    [
      { fromDate: 2, toDate: 1, timezone: 'x', pageSize: 99, sortOrder: 'up', currency: '' },
      'toDate must not be before fromDate, timezone must be an IANA time zone, pageSize must be at most 50, sortOrder must be asc or desc, ' +
        'currency must be a currency code of three letters',
    ],
  ];
  for (const [query, error] of cases) {
    test(`400: ${typeof query === 'string' ? query.slice(-40) : queryOf(query).slice(0, 80)}`, async () => {
      const text =
        typeof query === 'string'
          ? query
          : queryOf({ channelId: 'us', merchantId, ...dates, ...query });
      const { status, body } = await get(world(), tenant.key, text);
      assert.deepEqual([status, body], [400, { status: 'error', error }]);
    });
  }

  test('200: the least and the most that may be asked for', async () => {
    const fifty = Array.from({ length: 60 }, (_, place) => `B${place % 50}`).join(',');
    for (const query of [
      { pageSize: 1, pageIndex: 0 },
      { pageSize: 50 },
      { asins: fifty },
      { fromDate: 1, toDate: 1 },
      { currency: 'uSd' },
    ]) {
      await page(world(), tenant.key, { channelId: 'us', ...query });
    }
    for (const sortKey of sortKeys) await page(world(), tenant.key, { channelId: 'us', sortKey });
  });

  test('403: an organisation without Search Query Performance is advised to contact sales, whatever the request', async () => {
    const without = await world().tenant({
      organisation: { searchQueryPerformance: false },
      channelId: 'without',
      channel: { merchantId },
    });
    const error =
      'your organisation has no access to Search Query Performance: please contact sales to have it enabled';
    for (const query of [
      queryOf({ channelId: 'without', merchantId, ...dates }),
      '',
      'pageSize=0',
    ]) {
      const { status, body, headers } = await get(world(), without.key, query);
      assert.deepEqual([status, body], [403, { status: 'error', error }]);
      assert.equal(headers['access-control-allow-origin'], '*');
    }
  });
});

// Recomputed in plain decimals by the rules as they are written, with nothing of the code.
type Fact = {
  month: string;
  asin: string;
  searchQuery: string;
  currency: string;
  searchQueryVolume: number;
  totalImpressions: number;
  impressions: number;
  totalClicks: number;
  clicks: number;
  totalCartAdds: number;
  cartAdds: number;
  totalPurchases: number;
  purchases: number;
  totalMedianPurchasePrice: string;
  medianPurchasePrice: string;
  medianClickPrice: string;
};

const rateDates = ['2024-11-18', '2025-01-03', '2025-01-27', '2025-02-28', '2025-03-11'];
const perEuro: Record<string, string[]> = {
  USD: ['1.0563', '1.0299', '1.0485', '1.0411', '1.0912'],
  GBP: ['0.83698', '0.82975', '0.83928', '0.82608', '0.84193'],
  JPY: ['163.41', '162.11', '162.29', '156.49', '161.37'],
  EUR: ['1', '1', '1', '1', '1'],
};
const Exact = Decimal.clone({ precision: 60 });

/** The mean, over all days of a month, of the factor of the day. */
function factor(currency: string, target: string, month: string): Decimal {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  let sum = new Exact(0);
  for (let day = 1; day <= length; day++) {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    const place = Math.max(
      0,
      rateDates.findLastIndex((published) => published <= date),
    );
    sum = sum.plus(new Exact(perEuro[target]![place]!).div(perEuro[currency]![place]!));
  }
  return sum.div(length);
}

function shown(value: Decimal, places: number): number {
  return value
    .toDecimalPlaces(30, Decimal.ROUND_HALF_UP)
    .toDecimalPlaces(places, Decimal.ROUND_HALF_UP)
    .toNumber();
}

function metricsByHand(facts: readonly Fact[], own: string, target: string): Metrics {
  const total = (name: keyof Fact) => facts.reduce((sum, fact) => sum + Number(fact[name]), 0);
  const money = (worth: (fact: Fact) => Decimal) =>
    facts.reduce((sum, fact) => {
      const currency = fact.currency || own;
      return sum.plus(
        currency === target ? worth(fact) : worth(fact).times(factor(currency, target, fact.month)),
      );
    }, new Exact(0));
  const percent = (part: number, whole: number) =>
    whole === 0 ? 0 : shown(new Exact(part).times(100).div(whole), 2);
  const price = ({ medianPurchasePrice, totalMedianPurchasePrice, medianClickPrice }: Fact) =>
    [medianPurchasePrice, totalMedianPurchasePrice, medianClickPrice].find(
      (text) => Number(text) > 0,
    ) ?? 0;
  const revenue = money((fact) => new Exact(price(fact)).times(fact.purchases));
  const market = money((fact) =>
    new Exact(fact.totalMedianPurchasePrice || 0).times(fact.totalPurchases),
  );
  const places = target === 'JPY' ? 0 : 2;
  return {
    searchQueryVolume: total('searchQueryVolume'),
    totalImpressions: total('totalImpressions'),
    impressions: total('impressions'),
    impressionShare: percent(total('impressions'), total('totalImpressions')),
    totalClicks: total('totalClicks'),
    clicks: total('clicks'),
    clickShare: percent(total('clicks'), total('totalClicks')),
    totalCtr: percent(total('totalClicks'), total('totalImpressions')),
    ctr: percent(total('clicks'), total('impressions')),
    totalCartAdds: total('totalCartAdds'),
    cartAdds: total('cartAdds'),
    atcRate: percent(total('cartAdds'), total('clicks')),
    totalPurchases: total('totalPurchases'),
    purchases: total('purchases'),
    purchaseShare: percent(total('purchases'), total('totalPurchases')),
    totalCvr: percent(total('totalPurchases'), total('totalClicks')),
    cvr: percent(total('purchases'), total('clicks')),
    currentRevenue: shown(revenue, places),
    totalOpportunity: shown(market, places),
    opportunity: shown(Decimal.max(0, market.minus(revenue)), places),
    currencyCode: target,
  };
}

type Asked = {
  from: string;
  to: string;
  priorFrom: string;
  priorTo: string;
  zone: string;
  target: string;
  sortKey: string;
  sortOrder: 'asc' | 'desc';
  asins: string[];
  most: number;
};

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function rowsByHand(
  facts: readonly Fact[],
  own: string,
  { asins, most, target, sortKey, sortOrder, ...asked }: Asked,
): Row[] {
  const monthOf = (instant: string) =>
    new Date(instant).toLocaleDateString('sv-SE', { timeZone: asked.zone }).slice(0, 7);
  const within = (from: string, to: string) => {
    const [first, last] = [monthOf(from), monthOf(to)];
    return facts.filter(({ month }) => month >= first && month <= last);
  };
  const current = within(asked.from, asked.to);
  const prior = within(asked.priorFrom, asked.priorTo);
  const rows = [...new Set([...current, ...prior].map(({ asin }) => asin))].map((asin) => ({
    asin,
    current: metricsByHand(
      current.filter((fact) => fact.asin === asin),
      own,
      target,
    ),
    prior: metricsByHand(
      prior.filter((fact) => fact.asin === asin),
      own,
      target,
    ),
  }));
  const impressions = (row: Row) => row.current.impressions as number;
  const kept =
    asins.length > 0
      ? rows.filter(({ asin }) => asins.includes(asin))
      : rows
          .sort(
            (one, other) =>
              impressions(other) - impressions(one) || compareTexts(one.asin, other.asin),
          )
          .slice(0, most);
  const way = sortOrder === 'asc' ? 1 : -1;
  const keyOf = ({ asin, current }: Row) => (sortKey === 'asin' ? asin : current[sortKey]!);
  return kept.sort((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return left === right ? compareTexts(one.asin, other.asin) : (left < right ? -1 : 1) * way;
  });
}

const asinsKnown = ['B01', 'B02', 'B03', 'B04', 'B05', 'B06', 'B07', 'B08'];
const monthsKnown = ['2024-10', '2024-11', '2024-12', '2025-01', '2025-02', '2025-03', '2025-04'];
const counts = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 60 }) },
  fc.constant(0),
  fc.nat({ max: 5_000_000 }),
);
const prices = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map((cents) => (cents / 100).toFixed(2)),
  },
  fc.integer({ min: 1, max: 99_999_999 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  fc.constantFrom('', '0'),
);
const fact: fc.Arbitrary<Fact> = fc.record({
  month: fc.constantFrom(...monthsKnown),
  asin: fc.constantFrom(...asinsKnown),
  searchQuery: fc.constantFrom('lamp', 'lampe', 'ランプ', 'red lamp'),
  currency: fc.constantFrom('', '', '', 'USD', 'GBP', 'JPY', 'EUR'),
  searchQueryVolume: counts,
  totalImpressions: counts,
  impressions: counts,
  totalClicks: counts,
  clicks: counts,
  totalCartAdds: counts,
  cartAdds: counts,
  totalPurchases: counts,
  purchases: counts,
  totalMedianPurchasePrice: prices,
  medianPurchasePrice: prices,
  medianClickPrice: prices,
});
const facts = fc.uniqueArray(fact, {
  minLength: 5,
  maxLength: 60,
  selector: (one) => one.month + one.asin + one.searchQuery,
});
const instants = fc
  .tuple(
    fc.constantFrom(...monthsKnown),
    fc.constantFrom('01T00:00', '01T07:59', '01T08:00', '15T12:00', '28T23:59'),
  )
  .map(([month, rest]) => `${month}-${rest}:00Z`);
const windows = fc.tuple(instants, instants).map((both) => both.sort());
const askedFor: fc.Arbitrary<Asked> = fc
  .record({
    window: windows,
    prior: windows,
    zone: fc.constantFrom(
      'UTC',
      'America/Los_Angeles',
      'Pacific/Auckland',
      'Asia/Kathmandu',
      'Europe/London',
    ),
    target: fc.constantFrom('USD', 'GBP', 'JPY', 'EUR'),
    sortKey: fc.constantFrom(...sortKeys),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    asins: fc.oneof(fc.constant<string[]>([]), fc.subarray(asinsKnown, { minLength: 1 })),
    most: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ window: [from, to], prior: [priorFrom, priorTo], ...rest }) => ({
    ...rest,
    ...({ from, to, priorFrom, priorTo } as Record<
      'from' | 'to' | 'priorFrom' | 'priorTo',
      string
    >),
  }));

/** All pages, one after the other. */
async function everyRow(
  world: World,
  key: string,
  channelId: string,
  asked: Asked,
  pageSize: number,
): Promise<Row[]> {
  const { from, to, priorFrom, priorTo, zone, target, sortKey, sortOrder, asins } = asked;
  const query = {
    channelId,
    fromDate: at(from),
    toDate: at(to),
    priorFromDate: at(priorFrom),
    priorToDate: at(priorTo),
    timezone: zone,
    currency: target,
    sortKey,
    sortOrder,
    pageSize,
  };
  const rows: Row[] = [];
  for (let pageIndex = 0; ; pageIndex++) {
    const { data, pagination } = await page(
      world,
      key,
      { ...query, pageIndex },
      asins.map((asin) => `&asins=${asin}`).join(''),
    );
    rows.push(...data);
    if (rows.length === pagination.count) return rows;
    assert.equal(data.length, pageSize);
  }
}

onOnePair('Search queries, recomputed', (world) => {
  before(async () => {
    const rates = rateDates.flatMap((date, place) =>
      ['USD', 'GBP', 'JPY'].map((currency) => ({
        date,
        currency,
        perEuro: perEuro[currency]![place]!,
      })),
    );
    await importRows(world(), 'exchangeRates', undefined, rates);
  });

  test('any facts, months, zones, currencies, caps and orders equal a decimal computation', async () => {
    const owns = fc.constantFrom('USD', 'GBP', 'JPY', 'EUR');
    await fc.assert(
      fc.asyncProperty(
        facts,
        owns,
        fc.array(askedFor, { minLength: 4, maxLength: 4 }),
        async (given, own, questions) => {
          const { most } = questions[0]!;
          const organisation = { ...entitled, searchQueryProductMax: most };
          const channel = { merchantId, currency: own };
          const { key, channelId } = await world().tenant({
            channelId: randomUUID(),
            organisation,
            channel,
          });
          await importRows(world(), 'searchQueries', channelId, given);
          for (const [place, question] of questions.entries()) {
            const ask = place % 2 === 0 ? world().ask : world().askUnkept;
            const asked = { ...question, most, asins: question.asins.slice(0, most) };
            const found = await everyRow({ ...world(), ask }, key, channelId, asked, 3);
            assert.deepEqual(found, rowsByHand(given, own, asked), JSON.stringify({ own, asked }));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 3 }) },
    );
  });

  test('an amount that is half a unit of the currency goes away from zero, whatever noise the mean of a month has', async () => {
    const { key, channelId } = await world().tenant({
      channelId: randomUUID(),
      organisation: entitled,
      channel: { merchantId, currency: 'EUR' },
    });
    await importRows(world(), 'searchQueries', channelId, [
      {
        month: '2024-10',
        asin: 'B05',
        searchQuery: 'lamp',
        totalPurchases: 55,
        totalMedianPurchasePrice: '130.00',
      },
    ]);
    const [from, to] = [at('2024-10-01T00:00:00Z'), at('2024-10-05T00:00:00Z')];
    const { data } = await page(
      world(),
      key,
      { channelId, fromDate: from, toDate: to, timezone: 'UTC', currency: 'JPY' },
      '',
    );
    // 7,150 EUR at 163.41 on every day of the month are 1,168,381.5 JPY.
    assert.equal(data[0]!.current.totalOpportunity, 1_168_382);
  });

  test('every column sorts, and its pages have every row once', async () => {
    const given = fc.sample(
      fc.uniqueArray(fact, {
        minLength: 150,
        maxLength: 150,
        selector: (one) => one.month + one.asin + one.searchQuery,
      }),
      {
        seed: 7,
        numRuns: 1,
      },
    )[0]!;
    const many = given.map((one, place) => ({
      ...one,
      asin: `B${String(place % 31).padStart(2, '0')}`,
    }));
    const unique = [
      ...new Map(many.map((one) => [one.month + one.asin + one.searchQuery, one])).values(),
    ];
    const organisation = { ...entitled, searchQueryProductMax: 29 };
    const { key, channelId } = await world().tenant({
      channelId: randomUUID(),
      organisation,
      channel: { merchantId },
    });
    await importRows(world(), 'searchQueries', channelId, unique);
    const range = {
      from: '2024-12-05T00:00:00Z',
      to: '2025-03-05T00:00:00Z',
      priorFrom: '2024-10-05T00:00:00Z',
      priorTo: '2024-11-05T00:00:00Z',
    };
    const sorted = sortKeys.flatMap((sortKey, place) =>
      directionsOf(place).map((sortOrder) => ({ sortKey, sortOrder })),
    );
    for (const { sortKey, sortOrder } of casesOn(world(), sorted, 7)) {
      const asked = {
        ...range,
        zone: 'UTC',
        target: sortOrder === 'asc' ? 'USD' : 'GBP',
        sortKey,
        sortOrder,
        asins: [],
        most: 29,
      };
      const expected = rowsByHand(unique, 'USD', asked);
      assert.deepEqual(
        await everyRow(world(), key, channelId, asked, 7),
        expected,
        `${sortKey} ${sortOrder}`,
      );
      assert.equal(expected.length, 29);
    }
  });
});
