import assert from 'node:assert/strict';
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

type Cells = Record<string, string | number>;
type List = 'campaigns' | 'adGroups' | 'keywords' | 'products';
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

const days2025 = `fromDate=${at('2025-03-01T12:00:00Z')}&toDate=${at('2025-03-31T12:00:00Z')}`;

// The check row: every figure was worked out by hand.
const checkFigures = {
  adType: 'SB',
  impressions: 200_000,
  clicks: 5_200,
  cost: '300.10',
  sales: '1200.25',
  salesSameSku: '900.5',
  conversions: 176,
  conversionsSameSku: 100,
  units: 220,
  unitsSameSku: 130,
  ordersNtb: 60,
  unitsNtb: 70,
  salesNtb: '400.00',
  detailPageViews: 77,
};
const checkMetrics = {
  impressions: 200_000,
  clicks: 5_200,
  cost: 300.1,
  attributed_sales: 1200.25,
  attributed_sales_same_sku: 900.5,
  attributed_conversions: 176,
  attributed_conversions_same_sku: 100,
  attributed_units_ordered: 220,
  attributed_units_ordered_same_sku: 130,
  acos: 25,
  click_through_rate: 2.6,
  cost_per_click: 0.06,
  conversion_rate: 3.38,
  roas: 4,
};
const checkNewToBrand = {
  attributed_orders_ntb: 60,
  attributed_units_ordered_ntb: 70,
  attributed_sales_ntb: 400,
  attributed_orders_ntb_percentage: 34.09,
  attributed_units_ordered_ntb_percentage: 31.82,
  attributed_sales_ntb_percentage: 33.33,
  attributed_detail_page_views_clicks: 77,
};
/** Its first half and what is left, on two days. */
const firstHalf = {
  ...checkFigures,
  impressions: 150_000,
  clicks: 200,
  cost: '0.10',
  sales: '1000.00',
  conversions: 76,
  units: 20,
  unitsNtb: 1,
  ordersNtb: 60,
};
const secondHalf = {
  adType: 'SB',
  impressions: 50_000,
  clicks: 5_000,
  cost: '300.00',
  sales: '200.25',
  conversions: 100,
  units: 200,
  unitsNtb: 69,
};
const zeros = Object.fromEntries(
  Object.keys({ ...checkMetrics, ...checkNewToBrand, cost_per_acquisition: 0 }).map((name) => [
    name,
    0,
  ]),
);

onEachPair('The small world of advertising lists', (world) => {
  let tenant: Tenant;
  const list = (name: List, query: string) => page(world(), tenant.key, name, query);
  const names = (query: string) =>
    column(world(), tenant.key, 'campaigns', `channelId=us&${days2025}&${query}`, 'campaign_name');

  before(async () => {
    tenant = await world().tenant({
      channelId: 'us',
      channel: { timezone: 'America/Los_Angeles' },
    });
    await importRows(world(), 'campaigns', 'us', [
      {
        campaignId: '101',
        name: 'beta',
        adType: 'SB',
        status: 'enabled',
        budgetType: 'lifetime',
        budget: '12.5',
        startDate: '2025-01-02',
        endDate: '2025-09-30',
        targetingType: 'manual',
        biddingStrategy: 'ruleBased',
        costType: 'vcpm',
      },
      {
        campaignId: '102',
        name: 'Alpha',
        status: 'paused',
        budget: '7',
        startDate: '2025-02-01',
        targetingType: 'auto',
      },
      { campaignId: '103', status: 'ended' },
    ]);
    await importRows(world(), 'campaignDays', 'us', [
      { date: '2025-02-28', campaignId: '102', clicks: 1000, cost: '99' },
      { date: '2025-03-01', campaignId: '101', ...firstHalf },
      { date: '2025-03-31', campaignId: '101', ...secondHalf },
      { date: '2025-04-01', campaignId: '102', clicks: 1000, cost: '99' },
      // Sponsored Products have no customers new to the brand, whatever a source says.
      {
        date: '2025-03-15',
        campaignId: '104',
        adType: 'SP',
        clicks: 2,
        cost: '-1.005',
        conversions: 4,
        ordersNtb: 3,
        unitsNtb: 3,
        salesNtb: 3,
      },
    ]);
    await importRows(world(), 'adGroups', 'us', [
      {
        adGroupId: '11',
        campaignId: '101',
        name: 'Group',
        adType: 'SB',
        status: 'paused',
        costType: 'vcpm',
        defaultBid: '0.755',
      },
      { adGroupId: '12', campaignId: '999', name: 'of nowhere' },
    ]);
    await importRows(world(), 'adGroupDays', 'us', [
      { date: '2025-03-01', adGroupId: '11', ...firstHalf },
      { date: '2025-03-31', adGroupId: '11', campaignId: '101', ...secondHalf },
      { date: '2025-03-31', adGroupId: '13', campaignId: '102', adType: 'SP', clicks: 5 },
    ]);
    await importRows(world(), 'keywords', 'us', [
      {
        keywordId: '21',
        adGroupId: '11',
        campaignId: '101',
        keywordText: 'steel kettle',
        matchType: 'EXACT',
        adType: 'SB',
        status: 'paused',
        bid: '0.755',
      },
      {
        keywordId: '22',
        adGroupId: '99',
        campaignId: '999',
        keywordText: 'asin="B1"',
        matchType: 'TARGETING_EXPRESSION',
      },
    ]);
    await importRows(world(), 'keywordDays', 'us', [
      { date: '2025-02-28', keywordId: '21', clicks: 1000, cost: '99' },
      { date: '2025-03-01', keywordId: '21', ...firstHalf },
      { date: '2025-03-31', keywordId: '21', adGroupId: '11', campaignId: '101', ...secondHalf },
      { date: '2025-04-01', keywordId: '21', clicks: 1000, cost: '99' },
      {
        ...{ date: '2025-03-31', keywordId: '23', adGroupId: '13', campaignId: '102' },
        ...{ adType: 'SP', clicks: 5, ordersNtb: 3 },
      },
    ]);
    await importRows(world(), 'products', 'us', [
      { sku: 'S1', productId: 'P1', imageUrl: 'https://pictures.example/1' },
      {
        sku: 'S2',
        productId: 'P1',
        title: 'Kettle',
        imageUrl: 'https://pictures.example/2',
        linkUrl: 'https://shop.example/2',
      },
      { sku: 'S3', productId: 'P1', title: 'Pot' },
      { sku: 'S9', productId: 'P9', title: 'Cup' },
    ]);
    await importRows(world(), 'adProductDays', 'us', [
      { date: '2025-03-01', productId: 'P1', sku: 'S1', ...firstHalf },
      { date: '2025-03-31', productId: 'P1', sku: 'S2', ...secondHalf },
      { date: '2025-03-02', sku: 'S9', clicks: 0, cost: '1' },
      { date: '2025-03-02', productId: 'PX', clicks: 3 },
      { date: '2025-04-02', productId: 'PY', clicks: 3 },
    ]);
  });

  test('200: the check row as a campaign, summed over two days, with all its reported fields', async () => {
    const { data, pagination, meta } = await list(
      'campaigns',
      `channelId=us&${days2025}&status=active`,
    );
    assert.deepEqual(pagination, { pageIndex: 0, pageSize: 10, count: 1 });
    assert.deepEqual(meta, { currency: 'USD' });
    assert.deepEqual(data, [
      {
        channel_id: 'us',
        campaign_id: '101',
        ad_type: 'SB',
        campaign_name: 'beta',
        campaign_status: 'active',
        budget_type: 'lifetime',
        start_date: '2025-01-02',
        end_date: '2025-09-30',
        targeting_type: 'manual',
        bidding_strategy: 'ruleBased',
        cost_type: 'vcpm',
        budget: 12.5,
        ...checkMetrics,
        ...checkNewToBrand,
        cost_per_acquisition: 1.71,
      },
    ]);
  });

  test('200: a campaign without figures has zeros; one known from figures alone has no name', async () => {
    const { data } = await list(
      'campaigns',
      `channelId=us&${days2025}&sortKey=campaign_id&sortOrder=asc`,
    );
    const shared = {
      channel_id: 'us',
      ad_type: 'SP',
      budget_type: 'daily',
      end_date: '',
      bidding_strategy: '',
      cost_type: 'cpc',
    };
    assert.deepEqual(data.slice(1), [
      {
        ...zeros,
        ...shared,
        campaign_id: '102',
        campaign_name: 'Alpha',
        campaign_status: 'paused',
        start_date: '2025-02-01',
        targeting_type: 'auto',
        budget: 7,
      },
      {
        ...zeros,
        ...shared,
        campaign_id: '103',
        campaign_name: '',
        campaign_status: 'archived',
        start_date: '',
        targeting_type: '',
        budget: 0,
      },
      {
        ...zeros,
        channel_id: 'us',
        campaign_id: '104',
        ad_type: 'SP',
        campaign_name: '',
        campaign_status: '',
        budget_type: '',
        start_date: '',
        end_date: '',
        targeting_type: '',
        bidding_strategy: '',
        cost_type: '',
        budget: 0,
        clicks: 2,
        // Half away from zero; ratios over nothing or less are 0.
        cost: -1.01,
        cost_per_click: -0.5,
        cost_per_acquisition: -0.25,
        attributed_conversions: 4,
        conversion_rate: 200,
      },
    ]);
  });

  test('200: figures without a type count new-to-brand customers as reported', async () => {
    const { channelId, key } = await world().tenant();
    await importRows(world(), 'campaigns', channelId, [
      { campaignId: 'spring', name: 'Spring', adType: 'SB' },
    ]);
    await importRows(world(), 'campaignDays', channelId, [
      { date: '2025-03-15', campaignId: 'spring', conversions: 4, ordersNtb: 3 },
    ]);
    const { data } = await page(world(), key, 'campaigns', `channelId=${channelId}&${days2025}`);
    assert.deepEqual(
      [data[0]!.ad_type, data[0]!.attributed_orders_ntb, data[0]!.attributed_orders_ntb_percentage],
      ['SB', 3, 75],
    );
  });

  test('200: the check row as an ad group; one without a known campaign, and one known from figures alone', async () => {
    const { data, pagination } = await list('adGroups', `channelId=us&${days2025}&sortOrder=asc`);
    assert.equal(pagination.count, 3);
    const { cost_per_acquisition: _, ...none } = zeros;
    assert.deepEqual(data, [
      {
        channel_id: 'us',
        campaign_id: '101',
        ad_group_id: '11',
        ad_type: 'SB',
        campaign_name: 'beta',
        ad_group_name: 'Group',
        ad_group_status: 'paused',
        cost_type: 'vcpm',
        default_bid: 0.76,
        ...checkMetrics,
        ...checkNewToBrand,
      },
      {
        ...none,
        channel_id: 'us',
        campaign_id: '999',
        ad_group_id: '12',
        ad_type: 'SP',
        campaign_name: '',
        ad_group_name: 'of nowhere',
        ad_group_status: 'active',
        cost_type: 'cpc',
        default_bid: 0,
      },
      {
        ...none,
        channel_id: 'us',
        campaign_id: '102',
        ad_group_id: '13',
        ad_type: 'SP',
        campaign_name: 'Alpha',
        ad_group_name: '',
        ad_group_status: '',
        cost_type: '',
        default_bid: 0,
        clicks: 5,
      },
    ]);
  });

  test('200: the check row as a keyword; a target without a known campaign, and one known from figures alone', async () => {
    const { data, pagination } = await list('keywords', `channelId=us&${days2025}`);
    assert.equal(pagination.count, 3);
    assert.deepEqual(data, [
      {
        channel_id: 'us',
        campaign_id: '101',
        ad_group_id: '11',
        keyword_id: '21',
        ad_type: 'SB',
        campaign_name: 'beta',
        ad_group_name: 'Group',
        keyword_text: 'steel kettle',
        match_type: 'exact',
        keyword_status: 'paused',
        bid: 0.76,
        cost_type: 'vcpm',
        ...checkMetrics,
        ...checkNewToBrand,
        cost_per_acquisition: 1.71,
      },
      {
        ...zeros,
        channel_id: 'us',
        campaign_id: '999',
        ad_group_id: '99',
        keyword_id: '22',
        ad_type: 'SP',
        campaign_name: '',
        ad_group_name: '',
        keyword_text: 'asin="B1"',
        match_type: 'targetingExpression',
        keyword_status: 'active',
        bid: 0,
        cost_type: '',
      },
      {
        ...zeros,
        channel_id: 'us',
        campaign_id: '102',
        ad_group_id: '13',
        keyword_id: '23',
        ad_type: 'SP',
        campaign_name: 'Alpha',
        ad_group_name: '',
        keyword_text: '',
        match_type: '',
        keyword_status: '',
        bid: 0,
        cost_type: 'cpc',
        clicks: 5,
      },
    ]);
  });

  test('200: campaigns, ad groups and a status select keywords', async () => {
    const ids = (query: string) =>
      column(
        world(),
        tenant.key,
        'keywords',
        `channelId=us&${days2025}&sortKey=keyword_id&sortOrder=asc&${query}`,
        'keyword_id',
      );
    assert.deepEqual(await ids('campaignId=101'), ['21']);
    assert.deepEqual(await ids('campaignId=102,999'), ['22', '23']);
    assert.deepEqual(await ids('adGroupId=11&adGroupId=13'), ['21', '23']);
    assert.deepEqual(await ids('adGroupId=11,13&campaignId=102'), ['23']);
    assert.deepEqual(await ids('status=active,paused'), ['21', '22']);
    assert.deepEqual(await ids('status=paused&adGroupId=99'), []);
  });

  test('200: products with figures in the range: by product id, else by SKU; the title is that of the first SKU that has one', async () => {
    const { data, pagination } = await list('products', `channelId=us&${days2025}&sortOrder=asc`);
    assert.equal(pagination.count, 3);
    const none = Object.fromEntries(Object.keys(checkMetrics).map((name) => [name, 0]));
    assert.deepEqual(data, [
      {
        channel_id: 'us',
        product_sku: 'P1',
        product_title: 'Kettle',
        image_url: 'https://pictures.example/2',
        link_url: 'https://shop.example/2',
        ...checkMetrics,
      },
      {
        ...none,
        channel_id: 'us',
        product_sku: 'PX',
        product_title: '',
        image_url: '',
        link_url: '',
        clicks: 3,
      },
      {
        ...none,
        channel_id: 'us',
        product_sku: 'S9',
        product_title: 'Cup',
        image_url: '',
        link_url: '',
        cost: 1,
      },
    ]);
  });

  test('200: a status selects campaigns that reported it; several are alternatives, also as a list or with brackets', async () => {
    assert.deepEqual(await names('status=paused'), ['Alpha']);
    assert.deepEqual(await names('status=active&status=paused'), ['beta', 'Alpha']);
    assert.deepEqual(await names('status=active,paused'), ['beta', 'Alpha']);
    assert.deepEqual(await names('status[]=active&status[]=paused'), ['beta', 'Alpha']);
    assert.deepEqual(await names('status=archived'), ['']);
    const groups = `channelId=us&${days2025}&status`;
    assert.deepEqual(
      await column(world(), tenant.key, 'adGroups', `${groups}=paused`, 'ad_group_id'),
      ['11'],
    );
    assert.deepEqual(
      await column(world(), tenant.key, 'adGroups', `${groups}=archived`, 'ad_group_id'),
      [],
    );
  });

  test('200: campaign ids select ad groups by their settings, or else by their figures', async () => {
    const ids = (query: string) =>
      column(
        world(),
        tenant.key,
        'adGroups',
        `channelId=us&${days2025}&sortKey=ad_group_id&sortOrder=asc&${query}`,
        'ad_group_id',
      );
    assert.deepEqual(await ids('campaignId=101'), ['11']);
    assert.deepEqual(await ids('campaignId=102&campaignId=999&campaignId=5'), ['12', '13']);
    assert.deepEqual(await ids('campaignId=101,102&status=paused'), ['11']);
  });

  test('200: some products; letters compare as they are stored', async () => {
    const products = (query: string) =>
      column(
        world(),
        tenant.key,
        'products',
        `channelId=us&${days2025}&sortOrder=asc&${query}`,
        'product_sku',
      );
    assert.deepEqual(await products('productSku=P1&productSku=S9&productSku=S2'), ['P1', 'S9']);
    assert.deepEqual(await products('productSku=p1'), []);
  });

  test('200: names are sorted without regard to letter case, falling by default, and "" is last both ways', async () => {
    assert.deepEqual(await names(''), ['beta', 'Alpha', '', '']);
    assert.deepEqual(await names('sortOrder=asc'), ['Alpha', 'beta', '', '']);
    assert.deepEqual(await names('sortKey=start_date'), ['Alpha', 'beta', '', '']);
    assert.deepEqual(await names('sortKey=end_date&sortOrder=asc'), ['beta', 'Alpha', '', '']);
  });

  test('200: a page past the end is empty and still counts all rows', async () => {
    const { data, pagination } = await list(
      'campaigns',
      `channelId=us&${days2025}&pageIndex=1000000000&pageSize=100`,
    );
    assert.deepEqual(data, []);
    assert.deepEqual(pagination, { pageIndex: 1_000_000_000, pageSize: 100, count: 4 });
    assert.equal(
      (await list('products', `channelId=us&${days2025}&pageIndex=2&pageSize=2`)).pagination.count,
      3,
    );
    assert.equal(
      (await list('products', `channelId=us&${days2025}&productSku=none&pageIndex=2`)).pagination
        .count,
      0,
    );
  });

  test('200: without dates the last 30 days, their first date by the clock of the store', async () => {
    // Now is 2026-01-15T12:00Z: 30 days before, it was 04:00 of 2025-12-16 in Los Angeles.
    await importRows(world(), 'campaignDays', 'us', [
      { date: '2025-12-15', campaignId: '102', clicks: 1 },
      { date: '2025-12-16', campaignId: '102', clicks: 10 },
      { date: '2026-01-15', campaignId: '102', clicks: 100 },
      { date: '2026-01-16', campaignId: '102', clicks: 1000 },
    ]);
    const clicks = async (query: string) =>
      (await list('campaigns', `channelId=us&status=paused&${query}`)).data.map(
        (row) => row.clicks,
      );
    assert.deepEqual(await clicks(''), [110]);
    assert.deepEqual(await clicks(`fromDate=${at('2026-01-15T12:00:00Z')}`), [100]);
    assert.deepEqual(await clicks(`toDate=${at('2025-12-16T12:00:00Z')}`), [10]);
    // One second before midnight in Los Angeles.
    assert.deepEqual(await clicks(`toDate=${at('2026-01-15T07:59:59Z')}`), [10]);
    assert.deepEqual(await clicks(`fromDate=${at('2025-12-16T07:59:59Z')}`), [111]);
  });

  test('200: a currency in lower case is accepted and answered in upper case', async () => {
    assert.deepEqual((await list('products', `channelId=us&${days2025}&currency=usd`)).meta, {
      currency: 'USD',
    });
  });

  test('400: a currency without any rate is refused by its name', async () => {
    for (const name of ['campaigns', 'adGroups', 'keywords', 'products'] as const) {
      const { status, body } = await get(
        world(),
        tenant.key,
        name,
        `channelId=us&${days2025}&currency=XQZ`,
      );
      assert.deepEqual(
        [status, body.error],
        [
          400,
          'currency must be a currency with exchange rates: there is none of XQZ, there is no ' +
            'exchange rate of USD which channelId us needs: the operator of the service has to ' +
            'import one',
        ],
      );
    }
  });

  test('200: exactly six calendar months are taken, 400: a second more is not', async () => {
    const from = at('2025-08-31T10:00:00Z');
    const range = (to: string) =>
      get(world(), tenant.key, 'campaigns', `channelId=us&fromDate=${from}&toDate=${at(to)}`);
    assert.equal((await range('2026-02-28T10:00:00Z')).status, 200);
    assert.deepEqual((await range('2026-02-28T10:00:01Z')).body, {
      status: 'error',
      error: 'fromDate to toDate must be at most 6 months',
    });
    assert.equal((await range('2025-08-31T10:00:00Z')).status, 200);
  });
});

onOnePair('What the advertising lists refuse', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant({ channelId: 'us' });
    const { organisationId } = tenant;
    for (const channelId of ['a', 'b', 'c', 'd', 'e'])
      await world().channel(organisationId, channelId);
    await world().channel(organisationId, 'quiet', { hasAdvertisingConnected: false });
    await world().tenant({ channelId: 'foreign' });
  });

  const channels = 'channelId must name connected stores with advertising';
  const columns = {
    campaigns:
      'channel_id, campaign_id, ad_type, campaign_name, campaign_status, budget_type, start_date, end_date, targeting_type, bidding_strategy, cost_type, budget, ',
    adGroups:
      'channel_id, campaign_id, ad_group_id, ad_type, campaign_name, ad_group_name, ad_group_status, cost_type, default_bid, ',
    keywords:
      'channel_id, campaign_id, ad_group_id, keyword_id, ad_type, campaign_name, ad_group_name, keyword_text, match_type, keyword_status, bid, cost_type, ',
    products: 'channel_id, product_sku, ',
  };
  const figures =
    'impressions, clicks, cost, attributed_sales, attributed_sales_same_sku, attributed_conversions, attributed_conversions_same_sku, ' +
    'attributed_units_ordered, attributed_units_ordered_same_sku, ';
  const newToBrand =
    'attributed_orders_ntb, attributed_units_ordered_ntb, attributed_sales_ntb, attributed_orders_ntb_percentage, ' +
    'attributed_units_ordered_ntb_percentage, attributed_sales_ntb_percentage, attributed_detail_page_views_clicks, ';
  const sortable = {
    campaigns: `${columns.campaigns}${figures}${newToBrand}acos, click_through_rate, cost_per_click, cost_per_acquisition, conversion_rate, roas`,
    adGroups: `${columns.adGroups}${figures}${newToBrand}acos, click_through_rate, cost_per_click, conversion_rate, roas`,
    keywords: `${columns.keywords}${figures}${newToBrand}acos, click_through_rate, cost_per_click, cost_per_acquisition, conversion_rate, roas`,
    products: `${columns.products}${figures}acos, click_through_rate, cost_per_click, conversion_rate, roas`,
  };
  const eleven = (name: string) =>
    Array.from({ length: 11 }, (_, place) => `${name}=${place}`).join('&');

  const ofAll: [string, string][] = [
    ['', 'channelId is required'],
    ['channelId=', 'channelId must not be empty'],
    ['channelId=us,a,b,c,d,e', 'channelId must have at most 5 different entries'],
    ['channelId=nowhere', channels],
    ['channelId=us&channelId=foreign', channels],
    ['channelId=quiet,us', channels],
    [
      `channelId=us&fromDate=${at('2026-01-02T00:00:00Z')}000`,
      'fromDate must be in seconds and not in milliseconds',
    ],
    [
      `channelId=us&toDate=${at('2026-01-02T00:00:00Z')}000`,
      'toDate must be in seconds and not in milliseconds',
    ],
    ['channelId=us&fromDate=yesterday', 'fromDate must be an integer'],
    ['channelId=us&toDate=1.5', 'toDate must be an integer'],
    ['channelId=us&fromDate=-1', 'fromDate must be at least 0'],
    ['channelId=us&fromDate=2&toDate=1', 'toDate must not be before fromDate'],
    // Against the dates that hold where none are given.
    [`channelId=us&fromDate=${at('2026-01-15T12:00:01Z')}`, 'toDate must not be before fromDate'],
    [`channelId=us&toDate=${at('2025-12-16T11:59:59Z')}`, 'toDate must not be before fromDate'],
    [
      `channelId=us&fromDate=${at('2025-07-15T11:59:59Z')}`,
      'fromDate to toDate must be at most 6 months',
    ],
    ['channelId=us&currency=US', 'currency must be a currency code of three letters'],
    ['channelId=us&currency=U1D', 'currency must be a currency code of three letters'],
    ['channelId=us&sortOrder=up', 'sortOrder must be asc or desc'],
    ['channelId=us&pageIndex=-1', 'pageIndex must be at least 0'],
    ['channelId=us&pageIndex=x', 'pageIndex must be an integer'],
    ['channelId=us&pageIndex=1000000001', 'pageIndex must be at most 1000000000'],
    ['channelId=us&pageSize=0', 'pageSize must be at least 1'],
    ['channelId=us&pageSize=101', 'pageSize must be at most 100'],
    ['channelId=us&pageSize=1&pageSize=2', 'pageSize must be given once'],
    [
      'fromDate=2&toDate=1&pageSize=0&currency=x',
      'channelId is required, toDate must not be before fromDate, currency must be a currency code of three letters, pageSize must be at least 1',
    ],
    ['channelId=nowhere&fromDate=x', `${channels}, fromDate must be an integer`],
    [
      `channelId=nowhere&fromDate=${at('2026-01-15T12:00:01Z')}`,
      `${channels}, toDate must not be before fromDate`,
    ],
  ];
  const cases: [List, string, string][] = [
    ...(['campaigns', 'adGroups', 'keywords', 'products'] as const).flatMap((list) =>
      ofAll.map(([query, error]) => [list, query, error] as [List, string, string]),
    ),
    ...(['campaigns', 'adGroups', 'keywords', 'products'] as const).map(
      (list) =>
        [
          list,
          'channelId=us&sortKey=shoe_size',
          `sortKey must be ${sortable[list].replaceAll(', ', ' or ')}`,
        ] as [List, string, string],
    ),
    [
      'products',
      'channelId=us&sortKey=product_title',
      `sortKey must be ${sortable.products.replaceAll(', ', ' or ')}`,
    ],
    ['campaigns', 'channelId=us&status=enabled', 'status[0] must be active or paused or archived'],
    ['adGroups', 'channelId=us&status=', 'status must not be empty'],
    ['adGroups', 'channelId=us&campaignId=12a', 'campaignId[0] must be the number of a campaign'],
    [
      'adGroups',
      `channelId=us&${eleven('campaignId')}`,
      'campaignId must have at most 10 different entries',
    ],
    ['keywords', 'channelId=us&adGroupId=x', 'adGroupId[0] must be the number of an ad group'],
    ['keywords', 'channelId=us&status=on', 'status[0] must be active or paused or archived'],
    [
      'keywords',
      `channelId=us&${eleven('campaignId')}&${eleven('adGroupId')}`,
      'campaignId must have at most 10 different entries, adGroupId must have at most 10 different entries',
    ],
    [
      'products',
      `channelId=us&${eleven('productSku')}`,
      'productSku must have at most 10 different entries',
    ],
    [
      'campaigns',
      `channelId=us&${eleven('customCampaignGroupId')}`,
      'customCampaignGroupId must have at most 10 different entries, customCampaignGroupId must name campaign groups of your organisation',
    ],
  ];
  for (const [list, query, error] of cases) {
    test(`400: ${list}?${query.slice(0, 80)}`, async () => {
      const answer = await get(world(), tenant.key, list, query);
      assert.deepEqual([answer.status, answer.body], [400, { status: 'error', error }]);
    });
  }

  test('200: entries that come again count once', async () => {
    assert.equal(
      (await get(world(), tenant.key, 'campaigns', 'channelId=us,a,b,c,d,us,a&channelId=d')).status,
      200,
    );
    const twice = Array.from({ length: 20 }, (_, place) => `campaignId=${place % 10}`).join('&');
    assert.equal((await get(world(), tenant.key, 'adGroups', `channelId=us&${twice}`)).status, 200);
  });

  test('400: a channel that the user was not granted is refused in the words for an unknown channel', async () => {
    const { organisationId } = tenant;
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email: 'some@example.com',
      role: 'administrator',
    });
    const { key } = await world().operate('POST', '/operator/keys', { userId });
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: ['a'] });
    assert.equal((await get(world(), key, 'campaigns', 'channelId=a')).status, 200);
    assert.deepEqual((await get(world(), key, 'campaigns', 'channelId=a,us')).body, {
      status: 'error',
      error: channels,
    });
  });

  test('customCampaignGroupId: campaigns of any of the groups; those of others and unknown ones are refused alike', async () => {
    const save = (groupId: string, organisationId: string, campaignIds: string[]) =>
      world().operate('PUT', `/operator/campaignGroups/${groupId}`, {
        organisationId,
        name: groupId,
        campaignIds,
      });
    const other = await world().tenant();
    await importRows(world(), 'campaigns', 'us', [
      { campaignId: '1' },
      { campaignId: '2', status: 'paused' },
      { campaignId: '3' },
    ]);
    await importRows(world(), 'campaignDays', 'us', [
      { date: '2020-01-01', campaignId: '4', clicks: 1 },
    ]);
    await importRows(world(), 'campaignDays', 'us', [
      { date: '2026-01-01', campaignId: '5', clicks: 1 },
    ]);
    await save('one', tenant.organisationId, ['1', '77']);
    await save('two', tenant.organisationId, ['2', '1', '5']);
    await save('past', tenant.organisationId, ['4']);
    await save('unrelated', tenant.organisationId, ['78']);
    await save('theirs', other.organisationId, ['1']);
    const ids = (query: string) =>
      column(
        world(),
        tenant.key,
        'campaigns',
        `sortKey=campaign_id&sortOrder=asc&channelId=us&${query}`,
        'campaign_id',
      );
    assert.deepEqual(await ids('customCampaignGroupId=one'), ['1']);
    assert.deepEqual(
      await ids('customCampaignGroupId=one&customCampaignGroupId=two&customCampaignGroupId=one'),
      ['1', '2', '5'],
    );
    assert.deepEqual(await ids('customCampaignGroupId=two&status=paused'), ['2']);
    assert.deepEqual(await ids('customCampaignGroupId=past'), []);
    const refusal = async (query: string) =>
      (await get(world(), tenant.key, 'campaigns', query)).body.error;
    const unknown = 'customCampaignGroupId must name campaign groups of your organisation';
    assert.equal(await refusal('channelId=us&customCampaignGroupId=theirs'), unknown);
    assert.equal(await refusal('channelId=us&customCampaignGroupId=one,nothing'), unknown);
    assert.equal(
      await refusal('channelId=nowhere&customCampaignGroupId=nothing'),
      `${channels}, ${unknown}`,
    );
    const unrelated = 'customCampaignGroupId must name groups that have a campaign of the channels';
    assert.equal(await refusal('channelId=us&customCampaignGroupId=one,unrelated'), unrelated);
    assert.equal(await refusal('channelId=a&customCampaignGroupId=one'), unrelated);
  });
});

onOnePair('Rounded figures and far dates', (world) => {
  let tenant: Tenant;
  const ids = (query: string) =>
    column(world(), tenant.key, 'campaigns', `channelId=us&${query}`, 'campaign_id');

  before(async () => {
    tenant = await world().tenant({ channelId: 'us' });
  });

  test('200: rows that are shown alike are equal, even where one is a little below nothing', async () => {
    const costs = ['0.004', '-0.004', '0', '0.005', '-0.005'];
    const rows = costs.map((cost, place) => ({
      date: '2026-01-10',
      campaignId: String(place + 1),
      cost,
      clicks: 1,
    }));
    await importRows(world(), 'campaignDays', 'us', rows);
    for (const sortKey of ['cost', 'cost_per_click']) {
      assert.deepEqual(await ids(`sortKey=${sortKey}`), ['4', '1', '2', '3', '5']);
      assert.deepEqual(await ids(`sortKey=${sortKey}&sortOrder=asc`), ['5', '1', '2', '3', '4']);
    }
  });

  test('200: the first and the last dates that can be asked for', async () => {
    for (const date of [0, 1e11])
      assert.equal((await ids(`fromDate=${date}&toDate=${date}`)).length, 0);
  });
});

// Three stores in three currencies, recomputed in plain decimals by the rules as they are written,
// with nothing of the code.
type Figure = {
  date: string;
  campaignId: string;
  adGroupId: string;
  keywordId: string;
  productId: string;
  sku: string;
  currency: string;
  impressions: number;
  clicks: number;
  cost: string;
  sales: string;
  salesSameSku: string;
  conversions: number;
  conversionsSameSku: number;
  units: number;
  unitsSameSku: number;
  ordersNtb: number;
  unitsNtb: number;
  salesNtb: string;
  detailPageViews: number;
};
type Store = {
  campaigns: {
    campaignId: string;
    name: string;
    adType: string;
    status: string;
    budget: string;
    endDate?: string;
  }[];
  adGroups: {
    adGroupId: string;
    campaignId: string;
    name: string;
    adType: string;
    status: string;
    defaultBid: string;
  }[];
  keywords: {
    keywordId: string;
    adGroupId: string;
    campaignId: string;
    keywordText: string;
    matchType: string;
    adType: string;
    status: string;
    bid: string;
  }[];
  products: { sku: string; productId: string; title: string }[];
  figures: Figure[];
};

const stores = {
  'shop-GB': ['GBP', 'Europe/London'],
  'Shop-jp': ['JPY', 'Asia/Tokyo'],
  'shop-us': ['USD', 'America/Los_Angeles'],
} as const;
type StoreId = keyof typeof stores;
/** In the order of their letters, whatever their case. */
const storeIds = Object.keys(stores) as StoreId[];
const rateDates = ['2025-02-03', '2025-02-10', '2025-03-03'];
const perEuro: Record<string, string[]> = {
  USD: ['1.0293', '1.0331', '1.0519'],
  GBP: ['0.83188', '0.83245', '0.82643'],
  JPY: ['159.32', '157.07', '157.91'],
  EUR: ['1', '1', '1'],
};
const adTypes = ['SP', 'SB', 'SD'];
const adTypeOf = (id: string) => adTypes[Number(id) % 3]!;
const campaignOf = (adGroupId: string) => String((Number(adGroupId) % 5) + 1);
const adGroupOf = (keywordId: string) => String((Number(keywordId) % 4) + 1);

const names = fc.constantFrom(
  '',
  'alpha',
  'Alpha',
  'BETA',
  'beta 2',
  'Éclair',
  'éclair',
  'straße',
  'Zoo',
);
const statuses = fc.constantFrom('active', 'paused', 'archived');
const counts = fc.nat({ max: 40 });
const amounts = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 0, max: 50_000 }).map((cents) => (cents / 100).toFixed(2)),
  },
  fc
    .integer({ min: -9_999_999, max: 99_999_999 })
    .map((millionths) => (millionths / 1e6).toFixed(6)),
  fc.constant('0'),
);
const campaignIds = fc.integer({ min: 1, max: 6 }).map(String);
const adGroupIds = fc.integer({ min: 1, max: 7 }).map(String);
const keywordIds = fc.integer({ min: 1, max: 9 }).map(String);
const figure = fc.record({
  date: fc
    .integer({ min: 0, max: 59 })
    .map((day) => new Date(Date.UTC(2025, 0, 20 + day)).toISOString().slice(0, 10)),
  campaignId: campaignIds,
  adGroupId: adGroupIds,
  keywordId: keywordIds,
  productId: fc.constantFrom('', 'B1', 'B2', 'B3'),
  sku: fc.constantFrom('S1', 'S2', 's2'),
  currency: fc.constantFrom('', '', '', 'USD', 'GBP', 'JPY', 'EUR'),
  impressions: fc.nat({ max: 3_000 }),
  clicks: counts,
  cost: amounts,
  sales: amounts,
  salesSameSku: amounts,
  conversions: counts,
  conversionsSameSku: counts,
  units: counts,
  unitsSameSku: counts,
  ordersNtb: counts,
  unitsNtb: counts,
  salesNtb: amounts,
  detailPageViews: counts,
});
/** Some of the records, or all that figures may name: pages of known rows alone come from memory. */
function someOrAll<T>(record: fc.Arbitrary<T>, count: number, selector: (one: T) => string) {
  return fc.oneof(
    fc.uniqueArray(record, { selector }),
    fc.uniqueArray(record, { selector, minLength: count, maxLength: count }),
  );
}

const store: fc.Arbitrary<Store> = fc.record({
  campaigns: someOrAll(
    fc.record(
      {
        campaignId: campaignIds,
        name: names,
        status: statuses,
        budget: amounts,
        endDate: fc.constantFrom('2025-12-31', '2026-01-31'),
      },
      { requiredKeys: ['campaignId', 'name', 'status', 'budget'] },
    ),
    6,
    (campaign) => campaign.campaignId,
  ).map((all) => all.map((campaign) => ({ ...campaign, adType: adTypeOf(campaign.campaignId) }))),
  adGroups: someOrAll(
    fc.record({ adGroupId: adGroupIds, name: names, status: statuses, defaultBid: amounts }),
    7,
    (group) => group.adGroupId,
  ).map((all) =>
    all.map((group) => ({
      ...group,
      campaignId: campaignOf(group.adGroupId),
      adType: adTypeOf(group.adGroupId),
    })),
  ),
  keywords: someOrAll(
    fc.record({
      keywordId: keywordIds,
      keywordText: names,
      matchType: fc.constantFrom('broad', 'phrase', 'exact'),
      status: statuses,
      bid: amounts,
    }),
    9,
    (keyword) => keyword.keywordId,
  ).map((all) =>
    all.map((keyword) => ({
      ...keyword,
      adGroupId: adGroupOf(keyword.keywordId),
      campaignId: campaignOf(adGroupOf(keyword.keywordId)),
      adType: adTypeOf(keyword.keywordId),
    })),
  ),
  products: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom('S1', 'S2', 'S3', 'S4'),
      productId: fc.constantFrom('', 'B1', 'B2'),
      title: names,
    }),
    { selector: (product) => product.sku },
  ),
  // One figure a date keeps every key of every table apart.
  figures: fc.uniqueArray(figure, { minLength: 15, maxLength: 40, selector: (one) => one.date }),
});
const world3 = fc.record(
  Object.fromEntries(storeIds.map((id) => [id, store])) as Record<StoreId, typeof store>,
);
type World3 = Record<StoreId, Store>;

function factor(currency: string, target: string, date: string): Decimal {
  const place = Math.max(
    0,
    rateDates.findLastIndex((published) => published <= date),
  );
  return new Exact(perEuro[target]![place]!).div(perEuro[currency]![place]!);
}

const Exact = Decimal.clone({ precision: 60 });
// Non-terminating quotients are slightly off: first to where they are surely right, then to what is
// shown.
const shown = (value: Decimal, places: number) =>
  value
    .toDecimalPlaces(30, Decimal.ROUND_HALF_UP)
    .toDecimalPlaces(places, Decimal.ROUND_HALF_UP)
    .toNumber() + 0;

function metricsByHand(
  list: List,
  figures: readonly Figure[],
  own: string,
  target: string,
  isSponsoredProducts: boolean,
): Cells {
  const total = (name: keyof Figure) => figures.reduce((sum, one) => sum + Number(one[name]), 0);
  const money = (name: keyof Figure) =>
    figures.reduce(
      (sum, one) =>
        sum.plus(new Exact(one[name]).times(factor(one.currency || own, target, one.date))),
      new Exact(0),
    );
  const places = target === 'JPY' ? 0 : 2;
  const ratio = (part: Decimal | number, whole: Decimal | number, to = 2, times = 1) => {
    // Sums that cancel out may keep the tiny error of non-terminating quotients.
    return new Exact(whole).lte('1e-30') ? 0 : shown(new Exact(part).div(whole).times(times), to);
  };
  const [cost, sales] = [money('cost'), money('sales')];
  const [ordersNtb, unitsNtb] = isSponsoredProducts
    ? [0, 0]
    : [total('ordersNtb'), total('unitsNtb')];
  const salesNtb = isSponsoredProducts ? new Exact(0) : money('salesNtb');
  return {
    impressions: total('impressions'),
    clicks: total('clicks'),
    cost: shown(cost, places),
    attributed_sales: shown(sales, places),
    attributed_sales_same_sku: shown(money('salesSameSku'), places),
    attributed_conversions: total('conversions'),
    attributed_conversions_same_sku: total('conversionsSameSku'),
    attributed_units_ordered: total('units'),
    attributed_units_ordered_same_sku: total('unitsSameSku'),
    acos: ratio(cost, sales, 2, 100),
    click_through_rate: ratio(total('clicks'), total('impressions'), 2, 100),
    cost_per_click: ratio(cost, total('clicks')),
    conversion_rate: ratio(total('conversions'), total('clicks'), 2, 100),
    roas: ratio(sales, cost),
    ...(list !== 'products' && {
      attributed_orders_ntb: ordersNtb,
      attributed_units_ordered_ntb: unitsNtb,
      attributed_sales_ntb: shown(salesNtb, places),
      attributed_orders_ntb_percentage: ratio(ordersNtb, total('conversions'), 2, 100),
      attributed_units_ordered_ntb_percentage: ratio(unitsNtb, total('units'), 2, 100),
      attributed_sales_ntb_percentage: ratio(salesNtb, sales, 2, 100),
      attributed_detail_page_views_clicks: total('detailPageViews'),
    }),
    ...((list === 'campaigns' || list === 'keywords') && {
      cost_per_acquisition: ratio(cost, total('conversions')),
    }),
  };
}

type Query = { list: List; channels: readonly StoreId[]; from: string; to: string; target: string };

function rowsByHand(world: World3, { list, channels, from, to, target }: Query): Cells[] {
  return channels.flatMap((id): Cells[] => {
    const { campaigns, adGroups, keywords, products, figures } = world[id];
    const [own, timezone] = stores[id];
    const localDate = (instant: string) =>
      new Date(instant).toLocaleDateString('sv-SE', { timeZone: timezone });
    const [first, last] = [localDate(from), localDate(to)];
    const within = figures.filter(({ date }) => date >= first && date <= last);
    const setting = (value: string | undefined) =>
      shown(new Exact(value ?? 0).times(factor(own, target, last)), target === 'JPY' ? 0 : 2);
    if (list === 'campaigns') {
      const ids = new Set([...campaigns, ...within].map((one) => one.campaignId));
      return [...ids].map((campaign_id) => {
        const settings = campaigns.find((one) => one.campaignId === campaign_id);
        const ad_type = adTypeOf(campaign_id);
        const ofIt = within.filter((one) => one.campaignId === campaign_id);
        return {
          channel_id: id,
          campaign_id,
          ad_type,
          campaign_name: settings?.name ?? '',
          campaign_status: settings?.status ?? '',
          budget_type: settings ? 'daily' : '',
          start_date: '',
          end_date: settings?.endDate ?? '',
          targeting_type: '',
          bidding_strategy: '',
          cost_type: settings ? 'cpc' : '',
          budget: setting(settings?.budget),
          ...metricsByHand(list, ofIt, own, target, ad_type === 'SP'),
        };
      });
    }
    if (list === 'adGroups') {
      const ids = new Set([...adGroups, ...within].map((one) => one.adGroupId));
      return [...ids].map((ad_group_id) => {
        const settings = adGroups.find((one) => one.adGroupId === ad_group_id);
        const campaign_id = campaignOf(ad_group_id);
        const ad_type = adTypeOf(ad_group_id);
        const ofIt = within.filter((one) => one.adGroupId === ad_group_id);
        return {
          channel_id: id,
          campaign_id,
          ad_group_id,
          ad_type,
          campaign_name: campaigns.find((one) => one.campaignId === campaign_id)?.name ?? '',
          ad_group_name: settings?.name ?? '',
          ad_group_status: settings?.status ?? '',
          cost_type: settings ? 'cpc' : '',
          default_bid: setting(settings?.defaultBid),
          ...metricsByHand(list, ofIt, own, target, ad_type === 'SP'),
        };
      });
    }
    if (list === 'keywords') {
      const ids = new Set([...keywords, ...within].map((one) => one.keywordId));
      return [...ids].map((keyword_id) => {
        const settings = keywords.find((one) => one.keywordId === keyword_id);
        const ad_group_id = adGroupOf(keyword_id);
        const campaign_id = campaignOf(ad_group_id);
        const ad_type = adTypeOf(keyword_id);
        const campaign = campaigns.find((one) => one.campaignId === campaign_id);
        const adGroup = adGroups.find((one) => one.adGroupId === ad_group_id);
        const ofIt = within.filter((one) => one.keywordId === keyword_id);
        return {
          ...{ channel_id: id, campaign_id, ad_group_id, keyword_id, ad_type },
          campaign_name: campaign?.name ?? '',
          ad_group_name: adGroup?.name ?? '',
          keyword_text: settings?.keywordText ?? '',
          match_type: settings?.matchType ?? '',
          keyword_status: settings?.status ?? '',
          bid: setting(settings?.bid),
          cost_type: campaign || adGroup ? 'cpc' : '',
          ...metricsByHand(list, ofIt, own, target, ad_type === 'SP'),
        };
      });
    }
    const keyOf = (one: Figure) => one.productId || one.sku;
    return [...new Set(within.map(keyOf))].map((product_sku) => {
      const sorted = products.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
      const candidates = [
        ...sorted.filter((one) => one.productId === product_sku),
        ...sorted.filter((one) => one.sku === product_sku),
      ];
      return {
        channel_id: id,
        product_sku,
        product_title: candidates.find((one) => one.title !== '')?.title ?? '',
        image_url: '',
        link_url: '',
        ...metricsByHand(
          list,
          within.filter((one) => keyOf(one) === product_sku),
          own,
          target,
          false,
        ),
      };
    });
  });
}

const identifiers = {
  campaigns: 'campaign_id',
  adGroups: 'ad_group_id',
  keywords: 'keyword_id',
  products: 'product_sku',
} as const;

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
 * Makes the three stores of a new organisation anew; facts of an earlier one are gone with its
 * channels.
 */
async function makeStores(world: World, made: World3): Promise<Tenant> {
  const tenant = await world.tenant();
  const rates = rateDates.flatMap((date, place) =>
    ['USD', 'GBP', 'JPY'].map((currency) => ({
      date,
      currency,
      perEuro: perEuro[currency]![place]!,
    })),
  );
  await importRows(world, 'exchangeRates', undefined, rates);
  for (const id of storeIds) {
    const [currency, timezone] = stores[id];
    await world.operator('DELETE', `/operator/channels/${id}`);
    await world.channel(tenant.organisationId, id, { currency, timezone });
    const { campaigns, adGroups, keywords, products, figures } = made[id];
    const datasets: [string, readonly object[]][] = [
      ['campaigns', campaigns],
      ['adGroups', adGroups],
      ['keywords', keywords],
      ['products', products],
      ['campaignDays', figures.map((one) => ({ ...one, adType: adTypeOf(one.campaignId) }))],
      [
        'adGroupDays',
        figures.map((one) => ({
          ...one,
          campaignId: campaignOf(one.adGroupId),
          adType: adTypeOf(one.adGroupId),
        })),
      ],
      [
        'keywordDays',
        figures.map((one) => ({
          ...one,
          adGroupId: adGroupOf(one.keywordId),
          campaignId: campaignOf(adGroupOf(one.keywordId)),
          adType: adTypeOf(one.keywordId),
        })),
      ],
      ['adProductDays', figures],
    ];
    for (const [dataset, rows] of datasets) {
      const known = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([name]) => !strangers[dataset]?.includes(name)),
        ),
      );
      if (rows.length > 0) await importRows(world, dataset, id, known);
    }
  }
  return tenant;
}

const strangers: Record<string, string[]> = {
  campaignDays: ['adGroupId', 'keywordId', 'productId', 'sku'],
  adGroupDays: ['keywordId', 'productId', 'sku'],
  keywordDays: ['productId', 'sku'],
  adProductDays: ['campaignId', 'adGroupId', 'keywordId'],
};

const queryOf = ({ channels, from, to, target }: Omit<Query, 'list'>) =>
  `${channels.map((id) => `channelId=${id}`).join('&')}&fromDate=${at(from)}&toDate=${at(to)}&currency=${target}`;

onOnePair('Three stores in three currencies', (world) => {
  test('200: every cell is what plain decimals give, and the order is right by every column', async () => {
    const [made] = fc.sample(world3, { seed: 20250302, numRuns: 1 });
    const { key } = await makeStores(world(), made!);
    // In Tokyo the range begins and ends a date later than in Los Angeles.
    const query = {
      channels: storeIds,
      from: '2025-01-25T20:00:00Z',
      to: '2025-03-10T22:00:00Z',
      target: 'USD',
    };
    for (const list of ['campaigns', 'adGroups', 'keywords', 'products'] as const) {
      const rows = rowsByHand(made!, { ...query, list });
      assert.ok(rows.length > 9);
      const sorted = Object.keys(rows[0]!)
        .filter(
          (sortKey) =>
            list !== 'products' || !['product_title', 'image_url', 'link_url'].includes(sortKey),
        )
        .flatMap((sortKey, place) => directionsOf(place).map((order) => ({ sortKey, order })));
      for (const { sortKey, order } of casesOn(world(), sorted, 7)) {
        const { data } = await page(
          world(),
          key,
          list,
          `${queryOf(query)}&sortKey=${sortKey}&sortOrder=${order}&pageSize=100`,
        );
        assert.deepEqual(
          data,
          sortedByHand(rows, list, sortKey, order),
          `${list} by ${sortKey} ${order}`,
        );
      }
      const walked: Cells[] = [];
      for (let pageIndex = 0; pageIndex * 4 < rows.length; pageIndex++) {
        const { data, pagination } = await page(
          world(),
          key,
          list,
          `${queryOf(query)}&sortKey=channel_id&pageSize=4&pageIndex=${pageIndex}`,
        );
        assert.equal(pagination.count, rows.length);
        walked.push(...data);
      }
      assert.deepEqual(walked, sortedByHand(rows, list, 'channel_id', 'desc'));
    }
  });

  test('200: random facts, currencies, ranges, columns and pages agree with plain decimals', async () => {
    const instant = fc
      .integer({ min: 0, max: 70 * 24 })
      .map((hours) => new Date(Date.UTC(2025, 0, 15, hours)).toISOString());
    const columnOf = fc.record({
      key: fc.nat({ max: 35 }),
      order: fc.constantFrom('asc', 'desc'),
      pageIndex: fc.nat({ max: 3 }),
      pageSize: fc.integer({ min: 1, max: 12 }),
    });
    const query = fc.record({
      list: fc.constantFrom('campaigns', 'adGroups', 'keywords', 'products'),
      channels: fc.shuffledSubarray(storeIds, { minLength: 1 }),
      range: fc.tuple(instant, instant).map((pair) => pair.toSorted()),
      target: fc.constantFrom('USD', 'GBP', 'JPY', 'EUR'),
      page: columnOf,
    });
    await fc.assert(
      fc.asyncProperty(
        world3,
        fc.array(query, { minLength: 12, maxLength: 12 }),
        async (made, queries) => {
          const { key } = await makeStores(world(), made);
          for (const [place, query] of queries.entries()) {
            const { list, channels, range, target, page: asked } = query;
            const ask = place % 2 === 0 ? world().ask : world().askUnkept;
            const [from, to] = [range[0]!, range[1]!];
            const rows = rowsByHand(made, { list: list as List, channels, from, to, target });
            const columns = Object.keys(
              metricsByHand(list as List, [], 'EUR', 'EUR', false),
            ).concat('channel_id', identifiers[list as List]);
            const sortKey = columns[asked.key % columns.length]!;
            const text = `${queryOf({ channels, from, to, target })}&sortKey=${sortKey}&sortOrder=${asked.order}&pageIndex=${asked.pageIndex}&pageSize=${asked.pageSize}`;
            const { data, pagination } = await page({ ...world(), ask }, key, list as List, text);
            const start = asked.pageIndex * asked.pageSize;
            assert.deepEqual(
              data,
              sortedByHand(rows, list as List, sortKey, asked.order).slice(
                start,
                start + asked.pageSize,
              ),
              text,
            );
            assert.equal(pagination.count, rows.length);
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 2, served: 1 }), endOnFailure: true },
    );
  });
});
