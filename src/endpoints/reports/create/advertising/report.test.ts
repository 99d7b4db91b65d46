import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { onEachPair, onRandomFacts, type Tenant, triesOn } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { archiveOf, type Csv, csvOf, named } from '../../../../../test/reports.ts';

const at = (instant: string) => Date.parse(instant) / 1000;
const march = { fromDate: at('2025-03-01T00:00:00Z'), toDate: at('2025-03-31T23:59:59Z') };

/** The figures of one row, of which the others have a part. */
const figures = {
  ...{ impressions: 1000, clicks: 40, cost: '10.01', sales: '80.00', salesSameSku: '60.00' },
  ...{ conversions: 4, conversionsSameSku: 3, units: 5, unitsSameSku: 4, ordersNtb: 1 },
  ...{ unitsNtb: 2, salesNtb: '20.00', detailPageViews: 30 },
};
const shownFigures =
  'impressions,clicks,cost,attributed_sales,attributed_sales_same_sku,attributed_conversions,' +
  'attributed_conversions_same_sku,attributed_units_ordered,attributed_units_ordered_same_sku';
const shownNewToBrand =
  'attributed_orders_ntb,attributed_units_ordered_ntb,attributed_sales_ntb,' +
  'attributed_orders_ntb_percentage,attributed_units_ordered_ntb_percentage,' +
  'attributed_sales_ntb_percentage,attributed_detail_page_views_clicks';
const ratios = 'acos,click_through_rate,cost_per_click,conversion_rate,roas';
const ratiosPerOrder =
  'acos,click_through_rate,cost_per_click,cost_per_acquisition,conversion_rate,roas';
const own = 'seller_id,marketplace_id,report_date';

/** 1 of 4 orders, 2 of 5 units and 20 of 80 are new to the brand; 10.01 of 80, 40 of 1,000 clicks. */
const plain = '1000,40,10.01,80.00,60.00,4,3,5,4';
const newToBrand = '1,2,20.00,25.00,40.00,25.00,30';
const shownRatios = '12.51,4.00,0.25,10.00,7.99';
const shownPerOrder = '12.51,4.00,0.25,2.50,10.00,7.99';

const lines = ({ rows }: Csv) => rows.map((row) => row.join());

onEachPair('Reports of advertising by day', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({
      channel: { merchantId: 'A1 @ ATVPDKIKX0DER', timezone: 'America/New_York' },
    });
    const { channelId } = tenant;
    await importRows(world(), 'campaigns', channelId, [
      {
        ...{ campaignId: '1', name: '=Lamps', adType: 'SB', status: 'paused', budget: '12.5' },
        ...{ startDate: '2025-01-02', biddingStrategy: 'manual' },
      },
    ]);
    await importRows(world(), 'adGroups', channelId, [
      { adGroupId: '11', campaignId: '1', name: 'Group', adType: 'SB', defaultBid: '0.755' },
    ]);
    await importRows(world(), 'keywords', channelId, [
      {
        ...{ keywordId: '111', adGroupId: '11', campaignId: '1', keywordText: 'desk lamp' },
        ...{ matchType: 'exact', adType: 'SB', status: 'paused', bid: '0.8' },
      },
    ]);
    await importRows(world(), 'products', channelId, [
      { sku: 'S1', productId: 'P1' },
      { sku: 'S2', productId: 'P1', title: 'Lamp', imageUrl: 'https://pictures.example/2' },
    ]);
    const days = (ids: object) => [
      { date: '2025-02-28', ...ids, ...figures },
      { date: '2025-03-01', ...ids, ...figures },
      { date: '2025-03-31', ...ids, clicks: 2 },
      { date: '2025-04-01', ...ids, ...figures },
    ];
    const brand = { adType: 'SB' };
    await importRows(world(), 'campaignDays', channelId, [
      ...days({ campaignId: '1', ...brand }),
      { date: '2025-03-01', campaignId: '2', cost: '1', adType: 'SP' },
    ]);
    await importRows(world(), 'adGroupDays', channelId, days({ adGroupId: '11', ...brand }));
    await importRows(world(), 'keywordDays', channelId, days({ keywordId: '111', ...brand }));
    const ad = { adGroupId: '11', campaignId: '1', productId: 'P1', sku: 'S1', ...brand };
    await importRows(world(), 'adProductDays', channelId, [
      ...days(ad),
      { ...ad, sku: 'S2', date: '2025-03-01', clicks: 2 },
      { ...ad, adGroupId: '12', date: '2025-03-01', clicks: 4 },
    ]);
  });

  test('The archive has a file for each list, with its columns and a row for each date with figures', async () => {
    const files = await archiveOf(world(), tenant, 'campaigns', march);
    const columns = Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, file.columns.join()]),
    );
    const names = 'channel_id,campaign_id,ad_group_id';
    const title = 'product_title,image_url,link_url';
    assert.deepEqual(columns, {
      'campaigns.csv': `channel_id,campaign_id,ad_type,campaign_name,campaign_status,budget_type,start_date,end_date,targeting_type,bidding_strategy,cost_type,budget,${shownFigures},${shownNewToBrand},${ratiosPerOrder},${own}`,
      'adGroups.csv': `${names},ad_type,campaign_name,ad_group_name,ad_group_status,cost_type,default_bid,${shownFigures},${shownNewToBrand},${ratios},${own}`,
      'keywords.csv': `${names},keyword_id,ad_type,campaign_name,ad_group_name,keyword_text,match_type,keyword_status,bid,cost_type,${shownFigures},${shownNewToBrand},${ratiosPerOrder},${own}`,
      'productAds.csv': `${names},ad_type,campaign_name,ad_group_name,product_sku,sku,${title},${shownFigures},${ratios},${own}`,
      'products.csv': `channel_id,product_sku,${title},${shownFigures},${ratios},${own}`,
    });
    const { channelId } = tenant;
    const first = 'A1,ATVPDKIKX0DER,2025-03-01';
    const last = 'A1,ATVPDKIKX0DER,2025-03-31';
    const clicks = (count: number) => `0,${count},0.00,0.00,0.00,0,0,0,0`;
    const none = '0,0,0.00,,,,0';
    const campaign = `${channelId},1,SB,'=Lamps,paused,daily,2025-01-02,,,manual,cpc,12.50`;
    const unknown = `${channelId},2,SP,,,,,,,,,0.00`;
    assert.deepEqual(lines(files['campaigns.csv']!), [
      `${campaign},${plain},${newToBrand},${shownPerOrder},${first}`,
      `${unknown},0,0,1.00,0.00,0.00,0,0,0,0,${none},,,,,,0.00,${first}`,
      `${campaign},${clicks(2)},${none},,,0.00,,0.00,,${last}`,
    ]);
    const adGroup = `${channelId},1,11,SB,'=Lamps,Group,active,cpc,0.76`;
    assert.deepEqual(lines(files['adGroups.csv']!), [
      `${adGroup},${plain},${newToBrand},${shownRatios},${first}`,
      `${adGroup},${clicks(2)},${none},,,0.00,0.00,,${last}`,
    ]);
    const keyword = `${channelId},1,11,111,SB,'=Lamps,Group,desk lamp,exact,paused,0.80,cpc`;
    assert.deepEqual(lines(files['keywords.csv']!), [
      `${keyword},${plain},${newToBrand},${shownPerOrder},${first}`,
      `${keyword},${clicks(2)},${none},,,0.00,,0.00,,${last}`,
    ]);
    const lamp = 'Lamp,https://pictures.example/2,';
    const ad = (adGroupId: string, name: string, sku: string) =>
      `${channelId},1,${adGroupId},SB,'=Lamps,${name},P1,${sku},${lamp}`;
    assert.deepEqual(lines(files['productAds.csv']!), [
      `${ad('11', 'Group', 'S1')},${plain},${shownRatios},${first}`,
      `${ad('11', 'Group', 'S2')},${clicks(2)},,,0.00,0.00,,${first}`,
      `${ad('12', '', 'S1')},${clicks(4)},,,0.00,0.00,,${first}`,
      `${ad('11', 'Group', 'S1')},${clicks(2)},,,0.00,0.00,,${last}`,
    ]);
    // 46 clicks: 10.01 / 46, and 4 orders.
    const product = `${channelId},P1,${lamp}`;
    const ofProducts = [
      `${product},1000,46,10.01,80.00,60.00,4,3,5,4,12.51,4.60,0.22,8.70,7.99,${first}`,
      `${product},${clicks(2)},,,0.00,0.00,,${last}`,
    ];
    assert.deepEqual(lines(files['products.csv']!), ofProducts);
    const alone = await csvOf(world(), tenant, 'marketingByProduct', march);
    assert.equal(alone.columns.join(), columns['products.csv']);
    assert.deepEqual(lines(alone), ofProducts);
  });

  test('Dates are those of the requested zone, on the day of a change of the clock too', async () => {
    const dates = async (options: object) =>
      named(await csvOf(world(), tenant, 'marketingByProduct', options)).map(
        (row) => row.report_date,
      );
    // 04:30 UTC of the first is still February in New York, and 03:59 of April is March.
    const timezone = 'America/New_York';
    const early = at('2025-03-01T04:30:00Z');
    assert.deepEqual(await dates({ fromDate: early, toDate: early, timezone }), ['2025-02-28']);
    assert.deepEqual(await dates({ fromDate: early, toDate: early }), ['2025-03-01']);
    const late = at('2025-04-01T03:59:59Z');
    assert.deepEqual(await dates({ fromDate: late, toDate: late, timezone }), ['2025-03-31']);
    assert.deepEqual(await dates({ fromDate: late, toDate: late + 1, timezone }), [
      '2025-03-31',
      '2025-04-01',
    ]);
  });

  test('Amounts in other currencies are converted at the rates of their dates; a vendor has the same report', async () => {
    const vendor = await world().tenant({
      channel: { kind: 'vendor', currency: 'JPY', timezone: 'UTC', merchantId: 'V1' },
    });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-01', currency: 'JPY', perEuro: 160 },
      { date: '2025-03-02', currency: 'JPY', perEuro: 150 },
    ]);
    const row = { campaignId: '7', clicks: 3, cost: '1.50' };
    await importRows(world(), 'campaignDays', vendor.channelId, [
      { ...row, date: '2025-03-01', currency: 'EUR' },
      { ...row, date: '2025-03-02', currency: 'EUR' },
      { ...row, date: '2025-03-03', currency: 'JPY', cost: '100' },
    ]);
    const files = await archiveOf(world(), vendor, 'campaigns', march);
    assert.deepEqual(
      named(files['campaigns.csv']!).map((one) => [
        ...[one.report_date, one.cost, one.cost_per_click, one.seller_id, one.marketplace_id],
      ]),
      [
        ['2025-03-01', '240', '80.00', 'V1', ''],
        ['2025-03-02', '225', '75.00', 'V1', ''],
        ['2025-03-03', '100', '33.33', 'V1', ''],
      ],
    );
    for (const name of ['adGroups', 'keywords', 'productAds', 'products'])
      assert.deepEqual(files[`${name}.csv`]!.rows, []);
  });
});

onRandomFacts('Random advertising by day', (world) => {
  test('every row has the sums of its date, whatever the number of dates', async () => {
    const day = fc.integer({ min: 0, max: 40 });
    const fact = fc.record({
      day,
      sku: fc.constantFrom('S1', 'S2', 's3'),
      productId: fc.constantFrom('', 'P1', 'P2'),
      adGroupId: fc.constantFrom('11', '12'),
      clicks: fc.nat({ max: 9 }),
      cents: fc.integer({ min: -50, max: 5_000 }),
    });
    const facts = fc.uniqueArray(fact, {
      minLength: 5,
      maxLength: 60,
      selector: (one) => [one.day, one.sku, one.productId, one.adGroupId].join(),
    });
    const dateOf = (one: number) =>
      new Date(Date.UTC(2025, 1, 20 + one)).toISOString().slice(0, 10);
    await fc.assert(
      fc.asyncProperty(facts, async (made) => {
        const tenant = await world().tenant();
        await importRows(
          world(),
          'adProductDays',
          tenant.channelId,
          made.map(({ day: number, cents, ...one }) => ({
            ...one,
            date: dateOf(number),
            cost: (cents / 100).toFixed(2),
          })),
        );
        const expected = new Map<string, [clicks: number, cents: number]>();
        for (const { day: number, sku, productId, clicks, cents } of made) {
          const date = dateOf(number);
          if (date < '2025-03-01' || date > '2025-03-31') continue;
          const key = `${date} ${productId || sku}`;
          const [clicksBefore, centsBefore] = expected.get(key) ?? [0, 0];
          expected.set(key, [clicksBefore + clicks, centsBefore + cents]);
        }
        const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
        const report = named(await csvOf(world(), tenant, 'marketingByProduct', march));
        assert.deepEqual(
          report.map((row) => [`${row.report_date} ${row.product_sku}`, row.clicks, row.cost]),
          [...expected]
            .sort(([a], [b]) => bytes(a, b))
            .map(([key, [clicks, cents]]) => [key, String(clicks), (cents / 100).toFixed(2)]),
        );
      }),
      { numRuns: triesOn(world(), { embedded: 4, served: 1 }), endOnFailure: true },
    );
  });
});
