/**
 * The advertising lists: each field of a campaign, an ad group, a keyword and a product, how rows
 * are selected, sorted and paged, and what is refused. Random stores in three currencies are
 * recomputed in plain decimals.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import fc from 'fast-check';
import {
  converted,
  exact,
  inWinter,
  placesOf,
  shown,
  sumOf,
  winterRates,
} from '../../../test/conformance/exact.ts';
import { sortings } from '../../../test/conformance/list.ts';
import { type Answer, onOnePair, type Tenant, triesOn, type World } from '../../../test/harness.ts';
import { level, slowTest } from '../../../test/level.ts';
import { cents, type Drawn, datesFrom, each } from '../../../test/randomFacts.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../test/table.ts';
import { refusal } from '../../../test/visitors.ts';
import { assertShown, importFacts } from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'advertising.tables.txt');

type Cells = Record<string, string | number>;
const lists = ['campaigns', 'adGroups', 'keywords', 'products'] as const;
type List = (typeof lists)[number];
type Page = {
  data: Cells[];
  pagination: { pageIndex: number; pageSize: number; count: number };
  meta: { currency: string };
};

const at = (instant: string) => Date.parse(instant) / 1000;

function get(world: World, key: string, list: List, query: string): Promise<Answer> {
  return world.ask(key, 'GET', `/advertising/${list}?${query}`);
}

async function page(world: World, key: string, list: List, query: string): Promise<Page> {
  const { status, body } = await get(world, key, list, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function column(world: World, key: string, list: List, query: string, name: string) {
  return (await page(world, key, list, query)).data.map((row) => row[name]);
}

const identifiers = {
  campaigns: 'campaign_id',
  adGroups: 'ad_group_id',
  keywords: 'keyword_id',
  products: 'product_sku',
} as const;

const days2025 = `fromDate=${at('2025-03-01T12:00:00Z')}&toDate=${at('2025-03-31T12:00:00Z')}`;

/** The columns of settings of each list, in the order of its documentation. */
const settingNames = {
  campaigns:
    'channel_id, campaign_id, ad_type, campaign_name, campaign_status, budget_type, start_date, ' +
    'end_date, targeting_type, bidding_strategy, cost_type, budget',
  adGroups:
    'channel_id, campaign_id, ad_group_id, ad_type, campaign_name, ad_group_name, ' +
    'ad_group_status, cost_type, default_bid',
  keywords:
    'channel_id, campaign_id, ad_group_id, keyword_id, ad_type, campaign_name, ad_group_name, ' +
    'keyword_text, match_type, keyword_status, bid, cost_type',
  products: 'channel_id, product_sku',
};
const sumNames =
  'impressions, clicks, cost, attributed_sales, attributed_sales_same_sku, ' +
  'attributed_conversions, attributed_conversions_same_sku, attributed_units_ordered, ' +
  'attributed_units_ordered_same_sku';
const newToBrandNames =
  'attributed_orders_ntb, attributed_units_ordered_ntb, attributed_sales_ntb, ' +
  'attributed_orders_ntb_percentage, attributed_units_ordered_ntb_percentage, ' +
  'attributed_sales_ntb_percentage, attributed_detail_page_views_clicks';

// The check row: every figure was worked out by hand.
const [checkMetrics] = rowsOf(`
  ${sumNames}, acos, click_through_rate, cost_per_click, conversion_rate, roas
  200000, 5200, 300.1, 1200.25, 900.5, 176, 100, 220, 130, 25, 2.6, 0.06, 3.38, 4
`) as [object];
const [checkNewToBrand] = rowsOf(`${newToBrandNames}
  60, 70, 400, 34.09, 31.82, 33.33, 77
`) as [object];
const checkRow = { ...checkMetrics, ...checkNewToBrand };
const zerosOf = (row: object) => Object.fromEntries(Object.keys(row).map((name) => [name, 0]));
const zeros = zerosOf(checkRow);

onOnePair('The small world of advertising lists', (world) => {
  let tenant: Tenant;
  const list = (name: List, query: string) =>
    page(world(), tenant.key, name, `channelId=${tenant.channelId}&${days2025}&${query}`);
  const names = async (query: string) =>
    (await list('campaigns', query)).data.map((row) => row.campaign_name);
  /** The identifiers of the rows that a query selects. */
  const ids = async (name: List, query: string) =>
    (await list(name, `sortKey=${identifiers[name]}&sortOrder=asc&${query}`)).data.map(
      (row) => row[identifiers[name]],
    );
  /** Expected rows: their settings, and the figures of each, which are nothing unless given. */
  const expected = (name: List, csv: string, figures: readonly object[], none: object) =>
    rowsOf(`${settingNames[name]}\n${csv}`).map((row, place) => ({
      ...none,
      channel_id: tenant.channelId,
      ...row,
      ...figures[place],
    }));

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'America/Los_Angeles' } });
    await importFacts(world(), tenant.channelId, tablesBeside(import.meta.url, 'facts.txt'));
  });

  test('200: the check row as a campaign, summed over two days, with all its reported fields', async () => {
    const { data, pagination, meta } = await list('campaigns', 'status=active');
    assert.deepEqual(pagination, { pageIndex: 0, pageSize: 10, count: 1 });
    assert.deepEqual(meta, { currency: 'USD' });
    const settings =
      ', "101", SB, beta, active, lifetime, 2025-01-02, 2025-09-30, manual, ruleBased, vcpm, 12.5';
    const figures = { ...checkRow, cost_per_acquisition: 1.71 };
    assert.deepEqual(data, expected('campaigns', settings, [figures], {}));
  });

  test('200: a campaign without figures has zeros; one known from figures alone has no name', async () => {
    const { data } = await list('campaigns', 'sortKey=campaign_id&sortOrder=asc');
    // Half away from zero; ratios over nothing or less are 0.
    const [negative] = rowsOf(`
      clicks, cost, cost_per_click, cost_per_acquisition, attributed_conversions, conversion_rate
      2, -1.01, -0.5, -0.25, 4, 200`);
    const rows = expected(
      'campaigns',
      `, "102", SP, Alpha, paused, daily, 2025-02-01, "", auto, "", cpc, 7
       , "103", SP, "", archived, daily, "", "", "", "", cpc, 0
       , "104", SP, "", "", "", "", "", "", "", "", 0`,
      [{}, {}, negative!],
      { ...zeros, cost_per_acquisition: 0 },
    );
    assert.deepEqual(data.slice(1), rows);
  });

  test('200: figures without a type count new-to-brand customers as reported', async () => {
    const { channelId, key } = await world().tenant();
    await importFacts(world(), channelId, {
      campaigns: [{ campaignId: 'spring', name: 'Spring', adType: 'SB' }],
      campaignDays: [{ date: '2025-03-15', campaignId: 'spring', conversions: 4, ordersNtb: 3 }],
    });
    const { data } = await page(world(), key, 'campaigns', `channelId=${channelId}&${days2025}`);
    assertShown(data)`
      ad_type, attributed_orders_ntb, attributed_orders_ntb_percentage
      SB,      3,                     75
    `;
  });

  test('200: the check row as an ad group; one without a known campaign, and one known from figures alone', async () => {
    const { data, pagination } = await list('adGroups', 'sortOrder=asc');
    assert.equal(pagination.count, 3);
    const rows = expected(
      'adGroups',
      `, "101", "11", SB, beta, Group, paused, vcpm, 0.76
       , "999", "12", SP, "", of nowhere, active, cpc, 0
       , "102", "13", SP, Alpha, "", "", "", 0`,
      [checkRow, {}, { clicks: 5 }],
      zeros,
    );
    assert.deepEqual(data, rows);
  });

  test('200: the check row as a keyword; a target without a known campaign, and one known from figures alone', async () => {
    const { data, pagination } = await list('keywords', '');
    assert.equal(pagination.count, 3);
    const rows = expected(
      'keywords',
      `, "101", "11", "21", SB, beta, Group, steel kettle, exact, paused, 0.76, vcpm
       , "999", "99", "22", SP, "", "", "asin=""B1""", targetingExpression, active, 0, ""
       , "102", "13", "23", SP, Alpha, "", "", "", "", 0, cpc`,
      [{ ...checkRow, cost_per_acquisition: 1.71 }, {}, { clicks: 5 }],
      { ...zeros, cost_per_acquisition: 0 },
    );
    assert.deepEqual(data, rows);
  });

  test('200: products with figures in the range: by product id, else by SKU; the title is that of the first SKU that has one', async () => {
    const { data, pagination } = await list('products', 'sortOrder=asc');
    assert.equal(pagination.count, 3);
    const texts = rowsOf(tables.titles!);
    const figures = [checkMetrics, { clicks: 3 }, { cost: 1 }];
    const rows = expected('products', ', P1\n, PX\n, S9', texts, zerosOf(checkMetrics));
    assert.deepEqual(
      data,
      rows.map((row, place) => ({ ...row, ...figures[place] })),
    );
  });

  test('200: a status selects rows that reported it; several are alternatives, also as a list or with brackets', async () => {
    assert.deepEqual(await names('status=paused'), ['Alpha']);
    for (const both of ['=active&status=paused', '=active,paused', '[]=active&status[]=paused'])
      assert.deepEqual(await names(`status${both}`), ['beta', 'Alpha'], both);
    assert.deepEqual(await names('status=archived'), ['']);
    assert.deepEqual(await ids('adGroups', 'status=paused'), ['11']);
    assert.deepEqual(await ids('adGroups', 'status=archived'), []);
  });

  test('200: campaigns, ad groups, a status and product ids select rows, by their settings or else by their figures', async () => {
    for (const [name, query, ...found] of listsOf(tables.selections!))
      assert.deepEqual(await ids(name, query), found, `${name}?${query}`);
  });

  test('200: names are sorted without regard to letter case, falling by default, and "" is last both ways', async () => {
    assert.deepEqual(await names(''), ['beta', 'Alpha', '', '']);
    assert.deepEqual(await names('sortOrder=asc'), ['Alpha', 'beta', '', '']);
    assert.deepEqual(await names('sortKey=start_date'), ['Alpha', 'beta', '', '']);
    assert.deepEqual(await names('sortKey=end_date&sortOrder=asc'), ['beta', 'Alpha', '', '']);
  });

  test('200: a page past the end is empty and still counts all rows', async () => {
    const { data, pagination } = await list('campaigns', 'pageIndex=1000000000&pageSize=100');
    assert.deepEqual(data, []);
    assert.deepEqual(pagination, { pageIndex: 1_000_000_000, pageSize: 100, count: 4 });
    const count = async (query: string) => (await list('products', query)).pagination.count;
    assert.equal(await count('pageIndex=2&pageSize=2'), 3);
    assert.equal(await count('productSku=none&pageIndex=2'), 0);
  });

  test('200: without dates the last 30 days, their first date by the clock of the store', async () => {
    // Now is 2026-01-15T12:00Z: 30 days before, it was 04:00 of 2025-12-16 in Los Angeles.
    await importFacts(world(), tenant.channelId, { campaignDays: tables.recentDays! });
    const query = `channelId=${tenant.channelId}&status=paused&`;
    const clicks = (range: string) =>
      column(world(), tenant.key, 'campaigns', query + range, 'clicks');
    assert.deepEqual(await clicks(''), [110]);
    assert.deepEqual(await clicks(`fromDate=${at('2026-01-15T12:00:00Z')}`), [100]);
    assert.deepEqual(await clicks(`toDate=${at('2025-12-16T12:00:00Z')}`), [10]);
    // One second before midnight in Los Angeles.
    assert.deepEqual(await clicks(`toDate=${at('2026-01-15T07:59:59Z')}`), [10]);
    assert.deepEqual(await clicks(`fromDate=${at('2025-12-16T07:59:59Z')}`), [111]);
  });

  test('200: a currency in lower case is accepted and answered in upper case', async () => {
    assert.deepEqual((await list('products', 'currency=usd')).meta, { currency: 'USD' });
  });

  test('400: a currency without any rate is refused by its name', async () => {
    const query = `channelId=${tenant.channelId}&${days2025}&currency=XQZ`;
    const error =
      'currency must be a currency with exchange rates: there is none of XQZ, there is no ' +
      `exchange rate of USD which channelId ${tenant.channelId} needs: the operator of the ` +
      'service has to import one';
    for (const name of lists)
      assert.deepEqual(await refusal(get(world(), tenant.key, name, query)), [400, error], name);
  });

  test('200: a list of an empty channel needs no rate of its currency', async () => {
    const { channelId, key } = await world().tenant({ channel: { currency: 'XTS' } });
    const query = `channelId=${channelId}&currency=EUR`;
    for (const name of lists)
      assert.deepEqual((await get(world(), key, name, query)).body.data, [], name);
  });

  test('200: exactly six calendar months are taken, 400: a second more is not', async () => {
    const from = at('2025-08-31T10:00:00Z');
    const range = (to: string) => {
      const query = `channelId=${tenant.channelId}&fromDate=${from}&toDate=${at(to)}`;
      return get(world(), tenant.key, 'campaigns', query);
    };
    assert.equal((await range('2026-02-28T10:00:00Z')).status, 200);
    const error = 'fromDate to toDate must be at most 6 months';
    assert.deepEqual((await range('2026-02-28T10:00:01Z')).body, { status: 'error', error });
    assert.equal((await range('2025-08-31T10:00:00Z')).status, 200);
  });
});

onOnePair('What the advertising lists refuse', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant({ channelId: 'us' });
    for (const channelId of ['a', 'b', 'c', 'd', 'e'])
      await world().channel(tenant.organisationId, channelId);
    await world().channel(tenant.organisationId, 'quiet', { hasAdvertisingConnected: false });
  });

  const channels = 'channelId must name connected stores with advertising';
  const long = 'fromDate to toDate must be at most 6 months';
  const reversed = 'toDate must not be before fromDate';
  const late = `fromDate=${at('2026-01-15T12:00:01Z')}`;
  const groups = 'customCampaignGroupId must name campaign groups of your organisation';

  const cases: [string, string][] = [
    ['channelId=quiet,us', channels],
    // Against the dates that hold where none are given.
    [`channelId=us&${late}`, reversed],
    [`channelId=us&toDate=${at('2025-12-16T11:59:59Z')}`, reversed],
    [`channelId=us&fromDate=${at('2025-07-15T11:59:59Z')}`, long],
  ];
  for (const list of lists) {
    test(`400: ${list} refuse impossible channels and dates, beside the rest`, async () => {
      for (const [query, error] of cases) {
        const { status, body } = await get(world(), tenant.key, list, query);
        assert.deepEqual([status, body], [400, { status: 'error', error }], query);
      }
    });
  }

  test('customCampaignGroupId: campaigns of any of the groups; foreign and unknown groups are refused alike', async () => {
    const other = await world().tenant();
    await importFacts(world(), 'us', {
      campaigns: [{ campaignId: '1' }, { campaignId: '2', status: 'paused' }, { campaignId: '3' }],
      // One row is far in the past, so that its campaign has no figures in the range.
      campaignDays: `date, campaignId, clicks
        2020-01-01, "4", 1
        2026-01-01, "5", 1`,
    });
    for (const [name, { organisationId }, ...campaignIds] of [
      ['one', tenant, '1', '77'],
      ['two', tenant, '2', '1', '5'],
      ['past', tenant, '4'],
      ['unrelated', tenant, '78'],
      ['theirs', other, '1'],
    ] as [string, Tenant, ...string[]][]) {
      const group = { organisationId, name, campaignIds };
      await world().operate('PUT', `/operator/campaignGroups/${name}`, group);
    }
    const ids = (query: string) => {
      const all = `sortKey=campaign_id&sortOrder=asc&channelId=us&${query}`;
      return column(world(), tenant.key, 'campaigns', all, 'campaign_id');
    };
    for (const [query, ...found] of listsOf(tables.groups!))
      assert.deepEqual(await ids(`customCampaignGroupId=${query}`), found, query);
    const unrelated = 'customCampaignGroupId must name groups that have a campaign of the channels';
    for (const [channelId, groupIds, error] of [
      ['us', 'theirs', groups],
      ['us', 'one,nothing', groups],
      ['nowhere', 'nothing', `${channels}, ${groups}`],
      ['us', 'one,unrelated', unrelated],
      ['a', 'one', unrelated],
    ] as const) {
      const query = `channelId=${channelId}&customCampaignGroupId=${groupIds}`;
      const { body } = await get(world(), tenant.key, 'campaigns', query);
      assert.equal(body.error, error, query);
    }
  });

  test('200: rows that are shown alike are equal, even where one is a little below nothing; the first and the last dates are allowed', async () => {
    const { key, channelId } = await world().tenant();
    await importFacts(world(), channelId, { campaignDays: tables.nearlyNothing! });
    const ids = (query: string) =>
      column(world(), key, 'campaigns', `channelId=${channelId}&${query}`, 'campaign_id');
    for (const sortKey of ['cost', 'cost_per_click']) {
      assert.deepEqual(await ids(`sortKey=${sortKey}`), ['4', '1', '2', '3', '5']);
      assert.deepEqual(await ids(`sortKey=${sortKey}&sortOrder=asc`), ['5', '1', '2', '3', '4']);
    }
    // The first and the last possible dates.
    for (const date of [0, 1e11])
      assert.deepEqual(await ids(`fromDate=${date}&toDate=${date}`), [], String(date));
  });
});

// Stores in several currencies, recomputed in plain decimals by the rules as they are written,
// without any of the code.
const stores = {
  'shop-GB': ['GBP', 'Europe/London'],
  'Shop-jp': ['JPY', 'Asia/Tokyo'],
  'shop-us': ['USD', 'America/Los_Angeles'],
} as const;
type StoreId = keyof typeof stores;
/** In the order of their letters, whatever their case; two are enough outside of deep runs. */
const storeIds = (Object.keys(stores) as StoreId[]).slice(0, level === 'deep' ? 3 : 2);
const adTypes = ['SP', 'SB', 'SD'];
const adTypeOf = (id: string) => adTypes[Number(id) % 3]!;
const campaignOf = (adGroupId: string) => String((Number(adGroupId) % 5) + 1);
const adGroupOf = (keywordId: string) => String((Number(keywordId) % 4) + 1);

const someNames = ['', 'alpha', 'Alpha', 'BETA', 'beta 2', 'Éclair', 'éclair', 'straße', 'Zoo'];
const names = fc.constantFrom(...someNames);
const statuses = fc.constantFrom('active', 'paused', 'archived');
const amounts = fc.oneof(
  { weight: 5, arbitrary: cents(0, 50_000) },
  fc.integer({ min: -9_999_999, max: 99_999_999 }).map((one) => (one / 1e6).toFixed(6)),
  fc.constant('0'),
);
const campaignIds = fc.integer({ min: 1, max: 6 }).map(String);
const adGroupIds = fc.integer({ min: 1, max: 7 }).map(String);
const keywordIds = fc.integer({ min: 1, max: 9 }).map(String);
const countNames = [
  'clicks',
  'conversions',
  'conversionsSameSku',
  'units',
  'unitsSameSku',
] as const;
const othersCounted = ['ordersNtb', 'unitsNtb', 'detailPageViews'] as const;
const amountNames = ['cost', 'sales', 'salesSameSku', 'salesNtb'] as const;
const figure = fc.record({
  date: datesFrom('2025-01-20', 60),
  campaignId: campaignIds,
  adGroupId: adGroupIds,
  keywordId: keywordIds,
  productId: fc.constantFrom('', 'B1', 'B2', 'B3'),
  sku: fc.constantFrom('S1', 'S2', 's2'),
  currency: fc.constantFrom('', '', '', 'USD', 'GBP', 'JPY', 'EUR'),
  impressions: fc.nat({ max: 3_000 }),
  ...each([...countNames, ...othersCounted], fc.nat({ max: 40 })),
  ...each(amountNames, amounts),
});
type Figure = Drawn<typeof figure>;

/** Some of the records, or all that figures may name: memory has only pages of known rows. */
function someOrAll<T>(record: fc.Arbitrary<T>, count: number, selector: (one: T) => string) {
  return fc.oneof(
    fc.uniqueArray(record, { selector }),
    fc.uniqueArray(record, { selector, minLength: count, maxLength: count }),
  );
}

const endDate = fc.constantFrom('2025-12-31', '2026-01-31');
const campaign = fc.record(
  { campaignId: campaignIds, name: names, status: statuses, budget: amounts, endDate },
  { requiredKeys: ['campaignId', 'name', 'status', 'budget'] },
);
const adGroup = fc
  .record({ adGroupId: adGroupIds, name: names, status: statuses, defaultBid: amounts })
  .map((group) => ({ ...group, campaignId: campaignOf(group.adGroupId) }));
const matchType = fc.constantFrom('broad', 'phrase', 'exact');
const keyword = fc
  .record({ keywordId: keywordIds, keywordText: names, matchType, status: statuses, bid: amounts })
  .map((keyword) => ({ ...keyword, adGroupId: adGroupOf(keyword.keywordId) }))
  .map((keyword) => ({ ...keyword, campaignId: campaignOf(keyword.adGroupId) }));
const product = fc.record({
  sku: fc.constantFrom('S1', 'S2', 'S3', 'S4'),
  productId: fc.constantFrom('', 'B1', 'B2'),
  title: names,
});
const store = fc.record({
  campaigns: someOrAll(campaign, 6, ({ campaignId }) => campaignId),
  adGroups: someOrAll(adGroup, 7, ({ adGroupId }) => adGroupId),
  keywords: someOrAll(keyword, 9, ({ keywordId }) => keywordId),
  products: fc.uniqueArray(product, { selector: ({ sku }) => sku }),
  // With one figure per date, every key of every table is unique.
  figures: fc.uniqueArray(figure, { minLength: 15, maxLength: 40, selector: (one) => one.date }),
});
const world3 = fc.record({ 'shop-GB': store, 'Shop-jp': store, 'shop-us': store });
type World3 = Drawn<typeof world3>;

/** Each metric: a figure, or the ratio of two figures times a factor. */
const metrics = rowsOf(readFileSync(new URL('metrics.csv', import.meta.url), 'utf8'));
/** The metrics that a list lacks; all lists have the first 14. */
const absentFrom = (list: List) =>
  list === 'products' ? metrics.slice(14) : list === 'adGroups' ? metrics.slice(-1) : [];

function metricsByHand(
  list: List,
  figures: readonly Figure[],
  own: string,
  target: string,
  isSponsoredProducts: boolean,
): Cells {
  const isAmount = (name: string) => amountNames.some((amount) => amount === name);
  const sum = (name: keyof Figure) => {
    if (isSponsoredProducts && name.endsWith('Ntb')) return exact(0);
    return sumOf(
      figures.map((one) =>
        isAmount(name)
          ? converted(one[name], one.currency || own, target, one.date, winterRates)
          : exact(one[name]),
      ),
    );
  };
  const has = metrics.filter((metric) => !absentFrom(list).includes(metric));
  const cells = has.map(({ name, figure, whole, times }) => {
    const part = sum(figure);
    if (whole === undefined) return [name, shown(part, isAmount(figure) ? placesOf(target) : 0)];
    // Sums that cancel out may retain the tiny error of non-terminating quotients.
    const isNothing = sum(whole).lte('1e-30');
    return [name, isNothing ? 0 : shown(part.div(sum(whole)).times(times), 2)];
  });
  return Object.fromEntries(cells);
}

type Query = { list: List; channels: readonly StoreId[]; from: string; to: string; target: string };

/** The columns of settings of a row of a list, by the id that it has. */
function settingsByHand(
  { campaigns, adGroups, keywords, products }: World3[StoreId],
  list: List,
  id: string,
  inTarget: (value: string | undefined) => number,
): Cells {
  if (list === 'products') {
    const sorted = products.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
    const candidates = [
      ...sorted.filter((one) => one.productId === id),
      ...sorted.filter((one) => one.sku === id),
    ];
    const product_title = candidates.find(({ title }) => title !== '')?.title ?? '';
    return { product_sku: id, product_title, image_url: '', link_url: '' };
  }
  const adGroupId = list === 'keywords' ? adGroupOf(id) : id;
  const campaignId = list === 'campaigns' ? id : campaignOf(adGroupId);
  const campaign = campaigns.find((one) => one.campaignId === campaignId);
  const adGroup = adGroups.find((one) => one.adGroupId === adGroupId);
  const keyword = keywords.find((one) => one.keywordId === id);
  const paidFor = { campaigns: campaign, adGroups: adGroup, keywords: campaign ?? adGroup }[list];
  const all: Cells = {
    campaign_id: campaignId,
    ad_group_id: adGroupId,
    keyword_id: id,
    ad_type: adTypeOf(id),
    campaign_name: campaign?.name ?? '',
    campaign_status: campaign?.status ?? '',
    budget_type: campaign ? 'daily' : '',
    end_date: campaign?.endDate ?? '',
    budget: inTarget(campaign?.budget),
    ad_group_name: adGroup?.name ?? '',
    ad_group_status: adGroup?.status ?? '',
    default_bid: inTarget(adGroup?.defaultBid),
    keyword_text: keyword?.keywordText ?? '',
    match_type: keyword?.matchType ?? '',
    keyword_status: keyword?.status ?? '',
    bid: inTarget(keyword?.bid),
    cost_type: paidFor ? 'cpc' : '',
  };
  const [, ...names] = settingNames[list].split(', ');
  return Object.fromEntries(names.map((name) => [name, all[name] ?? '']));
}

/** The ids by which figures and settings belong to the rows of a list. */
const idOf: Record<List, (one: Partial<Figure>) => string> = {
  campaigns: ({ campaignId }) => campaignId!,
  adGroups: ({ adGroupId }) => adGroupId!,
  keywords: ({ keywordId }) => keywordId!,
  products: ({ productId, sku }) => productId || sku!,
};

function rowsByHand(world: World3, { list, channels, from, to, target }: Query): Cells[] {
  return channels.flatMap((channel_id): Cells[] => {
    const [own, timezone] = stores[channel_id];
    const localDate = (instant: string) =>
      new Date(instant).toLocaleDateString('sv-SE', { timeZone: timezone });
    const [first, last] = [localDate(from), localDate(to)];
    const within = world[channel_id].figures.filter(({ date }) => date >= first && date <= last);
    const inTarget = (value: string | undefined) =>
      shown(converted(value ?? 0, own, target, last, winterRates), placesOf(target));
    const known = list === 'products' ? [] : world[channel_id][list];
    return [...new Set([...known, ...within].map(idOf[list]))].map((id) => {
      const figures = within.filter((one) => idOf[list](one) === id);
      const isSponsoredProducts = list !== 'products' && adTypeOf(id) === 'SP';
      return {
        channel_id,
        ...settingsByHand(world[channel_id], list, id, inTarget),
        ...metricsByHand(list, figures, own, target, isSponsoredProducts),
      };
    });
  });
}

function sortedByHand(rows: readonly Cells[], list: List, key: string, order: string): Cells[] {
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const sign = order === 'asc' ? 1 : -1;
  const byKey = (a: Cells, b: Cells) => {
    const [left, right] = [a[key]!, b[key]!];
    if (typeof left === 'number') return sign * (left - (right as number));
    if ((left === '') !== (right === '')) return left === '' ? 1 : -1;
    return sign * bytes(left.toLowerCase(), String(right).toLowerCase());
  };
  const identifier = identifiers[list];
  const place = (row: Cells) => storeIds.indexOf(row.channel_id as StoreId);
  return rows.toSorted(
    (a, b) =>
      byKey(a, b) || bytes(String(a[identifier]), String(b[identifier])) || place(a) - place(b),
  );
}

/**
 * Makes the stores of a new organisation anew; facts of an earlier one are gone with its
 * channels.
 */
async function makeStores(world: World, made: World3): Promise<Tenant> {
  const tenant = await world.tenant();
  for (const id of storeIds) {
    const [currency, timezone] = stores[id];
    await world.operator('DELETE', `/operator/channels/${id}`);
    await world.channel(tenant.organisationId, id, { currency, timezone });
    const { figures, products, ...settings } = made[id];
    const typed = Object.entries(settings).map(
      ([list, rows]) =>
        [list, rows.map((row) => ({ ...row, adType: adTypeOf(idOf[list as List](row)) }))] as const,
    );
    await importFacts(world, id, Object.fromEntries([...typed, ['products', products]]));
    await importFacts(world, id, daysOf(figures));
  }
  return tenant;
}

const idNames = ['campaignId', 'adGroupId', 'keywordId', 'productId', 'sku'];

/** The rows of each dataset of days; figures name more ids than each of them takes. */
function daysOf(figures: readonly Figure[]): Record<string, object[]> {
  const ofDays = (ids: (figure: Figure) => object) =>
    figures.map((figure) => {
      const rest = Object.entries(figure).filter(([name]) => !idNames.includes(name));
      return { ...Object.fromEntries(rest), ...ids(figure) };
    });
  const ofAdGroup = (adGroupId: string) => ({ adGroupId, campaignId: campaignOf(adGroupId) });
  const ofKeyword = (keywordId: string) => ({ keywordId, ...ofAdGroup(adGroupOf(keywordId)) });
  const typed = (id: string, ids: object) => ({ ...ids, adType: adTypeOf(id) });
  return {
    campaignDays: ofDays(({ campaignId }) => typed(campaignId, { campaignId })),
    adGroupDays: ofDays(({ adGroupId }) => typed(adGroupId, ofAdGroup(adGroupId))),
    keywordDays: ofDays(({ keywordId }) => typed(keywordId, ofKeyword(keywordId))),
    adProductDays: ofDays(({ productId, sku }) => ({ productId, sku })),
  };
}

const queryOf = ({ channels, from, to, target }: Omit<Query, 'list'>) =>
  `${channels.map((id) => `channelId=${id}`).join('&')}&fromDate=${at(from)}&toDate=${at(to)}&currency=${target}`;

onOnePair(
  'Stores in several currencies',
  (world) => {
    /** Requests rows in the order of columns, and all pages of one order. */
    async function checkOrders(key: string, made: World3, list: List, first: number) {
      // In Tokyo the range begins and ends a date later than in Los Angeles.
      const [from, to] = ['2025-01-25T20:00:00Z', '2025-03-10T22:00:00Z'];
      const query = { list, channels: storeIds, from, to, target: 'USD' };
      const rows = rowsByHand(made, query);
      assert.ok(rows.length >= storeIds.length);
      const ask = (more: string) => page(world(), key, list, `${queryOf(query)}&${more}`);
      const { product_title, image_url, link_url, ...sortable } = rows[0]!;
      const columns = Object.keys(sortable);
      for (const { sortKey, sortOrder } of sortings(columns, first)) {
        const sorted = `sortKey=${sortKey}&sortOrder=${sortOrder}`;
        const { data } = await ask(`${sorted}&pageSize=100`);
        assert.deepEqual(data, sortedByHand(rows, list, sortKey, sortOrder), `${list} ${sorted}`);
      }
      const walked: Cells[] = [];
      for (let pageIndex = 0; pageIndex * 12 < rows.length; pageIndex++) {
        const paged = `sortKey=channel_id&pageSize=12&pageIndex=${pageIndex}`;
        const { data, pagination } = await ask(paged);
        assert.equal(pagination.count, rows.length);
        walked.push(...data);
      }
      assert.deepEqual(walked, sortedByHand(rows, list, 'channel_id', 'desc'));
    }

    const instant = fc
      .integer({ min: 0, max: 70 * 24 })
      .map((hours) => new Date(Date.UTC(2025, 0, 15, hours)).toISOString());
    const question = fc.record({
      list: fc.constantFrom(...lists),
      channels: fc.shuffledSubarray(storeIds, { minLength: 1 }),
      range: fc.tuple(instant, instant).map((pair) => pair.toSorted()),
      target: fc.constantFrom('USD', 'GBP', 'JPY', 'EUR'),
      column: fc.nat({ max: 35 }),
      sortOrder: fc.constantFrom('asc', 'desc'),
      pageIndex: fc.nat({ max: 3 }),
      pageSize: fc.integer({ min: 1, max: 12 }),
    });

    slowTest('200: random facts, currencies, ranges and pages agree with decimals', async () => {
      let tries = 0;
      const check = async (made: World3, questions: readonly Drawn<typeof question>[]) => {
        const { key } = await makeStores(world(), made);
        // The orders of one world suffice.
        for (const [place, list] of tries++ === 0 ? lists.entries() : [])
          await checkOrders(key, made, list, place);
        for (const [place, input] of questions.entries()) {
          const { list, range, sortOrder, pageIndex, pageSize } = input;
          const query = { ...input, from: range[0]!, to: range[1]! };
          const rows = rowsByHand(made, query);
          const sums = Object.keys(metricsByHand(list, [], 'EUR', 'EUR', false));
          const columns = [...sums, 'channel_id', identifiers[list]];
          const sortKey = columns[input.column % columns.length]!;
          const text = `${queryOf(query)}&sortKey=${sortKey}&sortOrder=${sortOrder}&pageIndex=${pageIndex}&pageSize=${pageSize}`;
          const ask = place % 2 === 0 ? world().ask : world().askUncached;
          const { data, pagination } = await page({ ...world(), ask }, key, list, text);
          const sorted = sortedByHand(rows, list, sortKey, sortOrder);
          const start = pageIndex * pageSize;
          assert.deepEqual(data, sorted.slice(start, start + pageSize), text);
          assert.equal(pagination.count, rows.length);
        }
      };
      const questions = fc.array(question, { minLength: 12, maxLength: 12 });
      const numRuns = triesOn(world(), { embedded: 2, served: 1 });
      await fc.assert(fc.asyncProperty(world3, questions, check), { numRuns, endOnFailure: true });
    });
  },
  { begins: inWinter },
);
