import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { onEachPair, type Tenant, testOnOnePair, type World } from './harness.ts';
import {
  held,
  importDocument,
  importRows,
  postImport,
  reasons,
  refused,
  taken,
} from './imports.ts';
import { type SerialDate, spreadsheet } from './spreadsheet.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/ads.${name}`, import.meta.url), 'utf8');
const parsed = (name: string) => JSON.parse(fixture(name));

const newTenant = (world: World): Promise<Tenant> =>
  world.tenant({ channel: { timezone: 'UTC', currency: 'EUR' } });

/** 2025-03-01 as a day number. */
const march = 20_148;
/** 2025-01-05. */
const january = 20_093;
const beyond = '9007199254740993';
const dayColumns =
  'day, campaign_id, ad_type, impressions, clicks, cost, sales, conversions, units, currency';

onEachPair('Documents about advertising', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads(
    'a report of campaigns by placement is added up per campaign and date, exactly, and ids keep every digit',
    async () => {
      const tenant = await newTenant(world());
      const answer = await importDocument(
        world(),
        tenant.channelId,
        gzipSync(fixture('spCampaigns.json')),
      );
      taken(answer, 'adsSpCampaigns', 4);
      assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-02']);
      const expected = [
        [march, '200', 'SP', 7, 1, 330_000n, 0n, 0, 0, 'EUR'],
        [march, beyond, 'SP', 150, 15, 3_300_000n, 20_300_000n, 3, 4, 'EUR'],
        [march + 1, beyond, 'SP', 80, 8, 4_400_000n, 30_000_000n, 3, 3, 'EUR'],
      ];
      assert.deepEqual(await held(world(), tenant, 'campaign_day', dayColumns), expected);
      const campaigns = await held(
        world(),
        tenant,
        'campaign',
        'campaign_id, name, status, budget, budget_type, bidding_strategy, updated_at',
      );
      assert.deepEqual(campaigns, [
        ['200', 'Shades', 'paused', 25_500_000n, 'daily', 'autoForSales', 0],
        [beyond, 'Lamps, new', 'active', 25_500_000n, 'daily', 'autoForSales', 0],
      ]);
      taken(
        await importDocument(world(), tenant.channelId, fixture('spCampaigns.json')),
        'adsSpCampaigns',
        4,
      );
      assert.deepEqual(await held(world(), tenant, 'campaign_day', dayColumns), expected);
    },
  );

  reads(
    'the import chooses the attribution window; a document without it is refused with a reason',
    async () => {
      const tenant = await newTenant(world());
      taken(
        await importDocument(
          world(),
          tenant.channelId,
          fixture('spCampaigns.json'),
          '&attribution=7',
        ),
        'adsSpCampaigns',
        4,
      );
      const sales = await held(world(), tenant, 'campaign_day', 'day, campaign_id, sales');
      assert.deepEqual(sales, [
        [march, '200', 0n],
        [march, beyond, 10_150_000n],
        [march + 1, beyond, 15_000_000n],
      ]);
      const sevenOnly = fixture('spCampaigns.json').replaceAll(/^.*14d.*\n/gm, '');
      refused(
        await importDocument(world(), tenant.channelId, sevenOnly),
        /^the document needs attribution=7 \(it has sales7d, but not sales14d\) \(import/,
      );
      taken(
        await importDocument(world(), tenant.channelId, sevenOnly, '&attribution=7'),
        'adsSpCampaigns',
        4,
      );
      assert.equal(
        (await importDocument(world(), tenant.channelId, sevenOnly, '&attribution=30')).status,
        400,
      );
      const mixed = parsed('spCampaigns.json').map(
        ({ purchases14d: _, ...row }: Record<string, unknown>) => row,
      );
      refused(
        await importDocument(world(), tenant.channelId, JSON.stringify(mixed)),
        /attribution=7 \(it has purchases7d, but not purchases14d\)/,
      );
    },
  );

  test('types of advertising share days: a document replaces the rows of its own type only', async () => {
    const tenant = await newTenant(world());
    taken(
      await importDocument(world(), tenant.channelId, fixture('spCampaigns.json')),
      'adsSpCampaigns',
      4,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('sbCampaigns.json')),
      'adsSbCampaigns',
      1,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('sdCampaigns.json')),
      'adsSdCampaigns',
      1,
    );
    const ofBrands = [march, '501', 'SB', 1000, 20, 9_990_000n, 50_000_000n, 5, 6, 'EUR'];
    const ofDisplay = [march, '601', 'SD', 2000, 8, 3_210_000n, 12_000_000n, 1, 2, 'EUR'];
    const all = await held(world(), tenant, 'campaign_day', dayColumns);
    assert.deepEqual(
      all.map((row) => row[1]),
      ['200', '501', '601', beyond, beyond],
    );
    assert.deepEqual([all[1], all[2]], [ofBrands, ofDisplay]);
    const more =
      'ad_type, sales_same_sku, conversions_same_sku, orders_ntb, units_ntb, sales_ntb, detail_page_views';
    const figures = await held(world(), tenant, 'campaign_day', more);
    assert.deepEqual(figures.slice(0, 2), [
      ['SB', 30_000_000n, 3, 2, 3, 22_000_000n, 15],
      ['SD', 10_000_000n, 1, 1, 2, 12_000_000n, 4],
    ]);
    const reportOptions = {
      fromDate: march * 86_400,
      toDate: (march + 1) * 86_400 - 1,
      timezone: 'UTC',
    };
    const { key, channelId, merchantId } = tenant;
    const view = await world().ask(key, 'POST', '/reports/view/salesByPeriod', {
      channelId,
      merchantId,
      reportOptions,
    });
    const [day] = view.body.formattedChartData;
    // 3.3 + 0.33 + 9.99 + 3.21 and 20.3 + 50 + 12
    assert.deepEqual([day.adSpend, day.adSales, day.impressions], ['16.83', '82.30', 3157]);
    const restated = parsed('spCampaigns.json').filter(
      (row: { campaignId: number }) => row.campaignId !== 200,
    );
    const exact = JSON.stringify(restated).replaceAll(
      /"campaignId":\d{10,}/g,
      `"campaignId":${beyond}`,
    );
    taken(await importDocument(world(), tenant.channelId, exact), 'adsSpCampaigns', 3);
    const left = await held(world(), tenant, 'campaign_day', dayColumns);
    assert.deepEqual(left, [all[1], all[2], all[3], all[4]]);
    const emptied = await importDocument(
      world(),
      tenant.channelId,
      '[]',
      '&type=adsSpCampaigns&from=2025-03-01&to=2025-03-01',
    );
    assert.equal(emptied.status, 200, JSON.stringify(emptied.body));
    assert.deepEqual(await held(world(), tenant, 'campaign_day', dayColumns), [
      all[1],
      all[2],
      all[4],
    ]);
  });

  reads(
    'reports of ad groups and advertised products feed their own tables; the ads of a product in an ad group are one row',
    async () => {
      const tenant = await newTenant(world());
      taken(
        await importDocument(world(), tenant.channelId, fixture('spAdGroups.json')),
        'adsSpAdGroups',
        2,
      );
      taken(
        await importDocument(world(), tenant.channelId, fixture('sbAdGroups.json')),
        'adsSbAdGroups',
        1,
      );
      taken(
        await importDocument(world(), tenant.channelId, fixture('sdAdGroups.json')),
        'adsSdAdGroups',
        1,
      );
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'ad_group_day',
          'ad_group_id, campaign_id, ad_type, clicks, cost, sales',
        ),
        [
          ['3001', '200', 'SP', 4, 1_250_000n, 12_500_000n],
          ['3002', '200', 'SP', 6, 2_500_000n, 0n],
          ['5011', '501', 'SB', 20, 9_990_000n, 50_000_000n],
          ['6011', '601', 'SD', 8, 3_210_000n, 12_000_000n],
        ],
      );
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'ad_group',
          'ad_group_id, campaign_id, name, status, updated_at',
        ),
        [
          ['3001', '200', 'Shades A', 'active', 0],
          ['3002', '200', 'Shades B', 'paused', 0],
          ['5011', '501', 'Brand group', 'active', 0],
          ['6011', '601', 'Display group', 'active', 0],
        ],
      );
      taken(
        await importDocument(world(), tenant.channelId, fixture('spAdvertisedProducts.json')),
        'adsSpAdvertisedProducts',
        4,
      );
      taken(
        await importDocument(world(), tenant.channelId, fixture('sdAdvertisedProducts.json')),
        'adsSdAdvertisedProducts',
        2,
      );
      const columns =
        'product_id, sku, ad_type, ad_group_id, campaign_id, impressions, clicks, cost, sales, conversions';
      assert.deepEqual(await held(world(), tenant, 'ad_product_day', columns), [
        ['B0LAMP', 'LAMP-1', 'SD', '6011', '601', 2100, 16, 4_000_000n, 24_000_000n, 2],
        ['B0LAMP', 'LAMP-1', 'SP', '3001', '100', 30, 3, 300_000n, 12_500_000n, 2],
        ['B0LAMP', 'LAMP-1', 'SP', '3001', '200', 30, 3, 300_000n, 0n, 1],
        ['B0SHADE', 'SHADE-1', 'SP', '3001', '200', 5, 1, 700_000n, 1_000_000n, 1],
      ]);
      assert.deepEqual(await held(world(), tenant, 'campaign_day', 'campaign_id'), []);
    },
  );

  reads(
    'campaigns inferred from reports never replace listed ones and are not counted',
    async () => {
      const tenant = await newTenant(world());
      await importRows(world(), 'campaigns', tenant.channelId, [
        { campaignId: '200', name: 'As listed', status: 'archived', budget: 7 },
      ]);
      taken(
        await importDocument(world(), tenant.channelId, fixture('spCampaigns.json')),
        'adsSpCampaigns',
        4,
      );
      assert.deepEqual(await held(world(), tenant, 'campaign', 'campaign_id, name, status'), [
        ['200', 'As listed', 'archived'],
        [beyond, 'Lamps, new', 'active'],
      ]);
      const strange = parsed('sbCampaigns.json').map((row: object) => ({
        ...row,
        campaignStatus: 'PROPOSED',
      }));
      taken(
        await importDocument(world(), tenant.channelId, JSON.stringify(strange)),
        'adsSbCampaigns',
        1,
      );
      const nameless = parsed('sdCampaigns.json').map(
        ({ campaignName: _, ...row }: Record<string, unknown>) => row,
      );
      taken(
        await importDocument(world(), tenant.channelId, JSON.stringify(nameless)),
        'adsSdCampaigns',
        1,
      );
      assert.deepEqual(await held(world(), tenant, 'campaign', 'campaign_id, ad_type'), [
        ['200', 'SP'],
        ['501', 'SB'],
        [beyond, 'SP'],
      ]);
      await importRows(world(), 'campaigns', tenant.channelId, [
        { campaignId: '501', name: 'Listed later', adType: 'SB' },
      ]);
      assert.deepEqual((await held(world(), tenant, 'campaign', 'campaign_id, name'))[1], [
        '501',
        'Listed later',
      ]);
    },
  );

  reads(
    'columns that fit several kinds are refused with the kinds to choose from, and a kind that they do not fit as well',
    async () => {
      const tenant = await newTenant(world());
      const plain = JSON.stringify([
        {
          date: '2025-03-01',
          campaignId: 5,
          impressions: 1,
          clicks: 1,
          cost: 1.5,
          sales: 3,
          purchases: 1,
        },
      ]);
      refused(
        await importDocument(world(), tenant.channelId, plain),
        /matches several kinds: pass type=adsSbCampaigns or type=adsSdCampaigns/,
      );
      refused(
        await importDocument(world(), tenant.channelId, plain, '&type=adsSpCampaigns'),
        /has columns of Sponsored Brands or Sponsored Display, but the import names Sponsored Products/,
      );
      taken(
        await importDocument(world(), tenant.channelId, plain, '&type=adsSdCampaigns'),
        'adsSdCampaigns',
        1,
      );
      assert.deepEqual(await held(world(), tenant, 'campaign_day', 'campaign_id, ad_type, cost'), [
        ['5', 'SD', 1_500_000n],
      ]);
      refused(
        await importDocument(
          world(),
          tenant.channelId,
          fixture('v3.spCampaigns.json'),
          '&type=adsSpCampaigns',
        ),
        /is not a report/,
      );
      const searchTerms = JSON.stringify([
        { ...parsed('spAdGroups.json')[0], searchTerm: 'lamp', keywordId: 1 },
      ]);
      refused(
        await importDocument(world(), tenant.channelId, searchTerms),
        /unrecognised document/,
      );
    },
  );

  reads(
    'multi-day rows, rows without a date and damaged numbers are rejected with advice',
    async () => {
      const tenant = await newTenant(world());
      const [row] = parsed('sbCampaigns.json');
      const { date: _, ...undated } = row;
      const summary = { ...undated, startDate: '2025-03-01', endDate: '2025-03-07' };
      const send = (rows: readonly object[], query = '') =>
        importDocument(world(), tenant.channelId, JSON.stringify(rows), query);
      refused(
        await send([summary, summary]),
        /^the document needs coarse=lastDay \(its rows cover several days, such as 2025-03-01 to 2025-03-07,/,
      );
      const mixed = await send([row, summary]);
      assert.match(reasons(mixed)[0]![1], /covers 2025-03-01 to 2025-03-07.*coarse=lastDay/);
      const booked = await send([summary], '&coarse=lastDay&replace=true');
      assert.deepEqual(
        [booked.body.rowsAccepted, booked.body.rowsCoarse, booked.body.from],
        [1, 1, '2025-03-01'],
      );
      assert.deepEqual(await held(world(), tenant, 'campaign_day', 'day, campaign_id'), [
        [march + 6, '501'],
      ]);
      refused(
        await send([undated, undated]),
        /^the document needs from=YYYY-MM-DD&to=YYYY-MM-DD \(its rows have no dates; for several days, also coarse=lastDay\) \(import/,
      );
      const wrong = await send(
        [
          { ...row, date: '2025-02-30' },
          { ...row, clicks: 1.5 },
          { ...row, campaignBudgetCurrencyCode: 'USD' },
          { ...row, campaignBudgetCurrencyCode: 'EUR' },
        ],
        '&replace=true',
      );
      assert.deepEqual(reasons(wrong), [
        [1, 'date must be a date (YYYY-MM-DD)'],
        [2, 'clicks must be a whole number (it is 1.5)'],
        [4, 'is in another currency than earlier rows with the same key'],
      ]);
      const shortened = JSON.stringify([row]).replace('"501"', '1.2345E17');
      const [[, reason]] = reasons(await importDocument(world(), tenant.channelId, shortened)) as [
        [number, string],
      ];
      assert.match(
        reason,
        /campaignId must be an identifier of at most 200 characters; a number must be written in full/,
      );
      assert.equal(
        (await importDocument(world(), tenant.channelId, JSON.stringify([row]).slice(0, -20)))
          .status,
        400,
      );
    },
  );

  reads('version 2 reports are imported for the one day given', async () => {
    const tenant = await newTenant(world());
    refused(
      await importDocument(world(), tenant.channelId, fixture('v2.spReport.json')),
      /pass type=adsSpCampaigns or type=adsSbCampaigns or type=adsSdCampaigns/,
    );
    const day = '&from=2025-03-01&to=2025-03-01';
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        fixture('v2.spReport.json'),
        `&type=adsSpCampaigns${day}`,
      ),
      'adsSpCampaigns',
      3,
    );
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        fixture('v2.sdReport.json'),
        `&type=adsSdCampaigns${day}`,
      ),
      'adsSdCampaigns',
      3,
    );
    assert.deepEqual(
      await held(world(), tenant, 'campaign_day', 'ad_type, campaign_id, clicks, cost, currency'),
      [
        ['SD', '161883766', 3120, 780_000_000n, 'USD'],
        ['SD', '383872607', 1087, 293_490_000n, 'USD'],
        ['SD', '463677387', 980, 215_590_000n, 'USD'],
        ['SP', '110682930291375', 1490, 387_400_000n, 'EUR'],
        ['SP', '172454944939508', 1124, 314_720_000n, 'EUR'],
        ['SP', '263323102387247', 3421, 547_360_000n, 'EUR'],
      ],
    );
    const named = [
      {
        campaignId: 9,
        impressions: 1,
        clicks: 1,
        cost: 1,
        attributedSales14d: 4,
        attributedSales14dSameSKU: 3,
        attributedConversions14d: 2,
      },
    ];
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        JSON.stringify(named),
        `&type=adsSpCampaigns${day}`,
      ),
      'adsSpCampaigns',
      1,
    );
    const columns = 'ad_type, campaign_id, sales, sales_same_sku, conversions';
    assert.deepEqual((await held(world(), tenant, 'campaign_day', columns)).at(-1), [
      'SP',
      '9',
      4_000_000n,
      3_000_000n,
      2,
    ]);
    refused(
      await importDocument(
        world(),
        tenant.channelId,
        JSON.stringify(named),
        `&type=adsSpCampaigns&attribution=7${day}`,
      ),
      /attribution=14 \(it has attributedSales14d, but not sales7d\)/,
    );
  });

  reads('the fields of campaign lists of versions 2 and 3 reveal their ad type', async () => {
    const tenant = await newTenant(world());
    taken(
      await importDocument(world(), tenant.channelId, fixture('v3.spCampaigns.json')),
      'adsCampaignList',
      3,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('v3.sbCampaigns.json')),
      'adsCampaignList',
      2,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('v2.spCampaigns.json')),
      'adsCampaignList',
      3,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('v2.sbCampaigns.json')),
      'adsCampaignList',
      1,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('v2.sdCampaigns.json')),
      'adsCampaignList',
      2,
    );
    const exported = [
      {
        adProduct: 'SPONSORED_PRODUCTS',
        campaignId: '77',
        name: 'Exported',
        state: 'PAUSED',
        startDate: '2023-11-30',
        optimization: { bidStrategy: 'SALES_BID_DOWN_ONLY' },
        budgetCaps: {
          recurrenceTimePeriod: 'DAILY',
          budgetValue: { monetaryBudget: { currencyCode: 'EUR', amount: 12.5 } },
        },
        targetingSettings: 'MANUAL',
      },
      {
        adProduct: 'SPONSORED_DISPLAY',
        campaignId: '78',
        name: 'Exported too',
        state: 'ENABLED',
        costType: 'VCPM',
      },
    ];
    taken(
      await importDocument(world(), tenant.channelId, JSON.stringify(exported)),
      'adsCampaignList',
      2,
    );
    const columns =
      'campaign_id, ad_type, status, budget, budget_type, start_date, end_date, targeting_type, bidding_strategy, cost_type';
    const found = await held(world(), tenant, 'campaign', columns);
    assert.equal(found.length, 13);
    const expected = [
      [
        '108235017529238',
        'SD',
        'active',
        1_000_000n,
        'daily',
        '2020-12-10',
        '2020-12-11',
        '',
        '',
        'cpc',
      ],
      ['203755086457166', 'SB', 'paused', 10_000_000n, 'daily', '2023-05-21', '', '', '', 'cpc'],
      ['222', 'SB', 'active', 200_000_000n, 'daily', '2021-03-09', '', '', '', 'cpc'],
      [
        '276748589410145',
        'SP',
        'active',
        100_000_000n,
        'daily',
        '2022-10-31',
        '2022-11-08',
        'auto',
        'legacyForSales',
        'cpc',
      ],
      [
        '62077673972552',
        'SP',
        'active',
        100_000_000n,
        'daily',
        '2022-08-11',
        '',
        'manual',
        'autoForSales',
        'cpc',
      ],
      [
        '77',
        'SP',
        'paused',
        12_500_000n,
        'daily',
        '2023-11-30',
        '',
        'manual',
        'legacyForSales',
        'cpc',
      ],
      ['78', 'SD', 'active', 0n, 'daily', '', '', '', '', 'vcpm'],
    ];
    assert.deepEqual(
      found.filter(([id]) => expected.some((row) => row[0] === id)),
      expected,
    );
    const contrary = await importDocument(
      world(),
      tenant.channelId,
      fixture('v3.sbCampaigns.json'),
      '&type=adsSpCampaignList',
    );
    assert.deepEqual(
      reasons(contrary).map(([line]) => line),
      [1, 2],
    );
    assert.match(
      reasons(contrary)[0]![1],
      /belongs to Sponsored Brands, but the import names Sponsored Products/,
    );
  });

  reads(
    'lists of ad groups: one body or one per line; without a type, refused until it is named',
    async () => {
      const tenant = await newTenant(world());
      const bodies = [parsed('v3.spAdGroups.json'), parsed('v3.sbAdGroups.json')]
        .map((body) => JSON.stringify(body))
        .join('\n');
      taken(await importDocument(world(), tenant.channelId, bodies), 'adsAdGroupList', 4);
      refused(
        await importDocument(world(), tenant.channelId, fixture('v2.adGroups.json')),
        /does not show the type of its ad groups: pass type=adsSpAdGroupList or adsSdAdGroupList/,
      );
      taken(
        await importDocument(
          world(),
          tenant.channelId,
          fixture('v2.adGroups.json'),
          '&type=adsSpAdGroupList',
        ),
        'adsSpAdGroupList',
        3,
      );
      assert.deepEqual(
        await held(
          world(),
          tenant,
          'ad_group',
          'ad_group_id, campaign_id, ad_type, status, default_bid',
        ),
        [
          ['109226894492069', '31299234922913', 'SP', 'paused', 1_000_000n],
          ['138818764235694', '31299234922913', 'SP', 'archived', 1_000_000n],
          ['144346139432941903', '144327786111035248', 'SB', 'active', 0n],
          ['144370821579495226', '144140792417656013', 'SB', 'active', 0n],
          ['164621261612363', '31299234922913', 'SP', 'paused', 1_000_000n],
          ['220795965021387', '102579222643121', 'SP', 'active', 100_000_000n],
          ['236888139321097', '50253512169230', 'SB', 'active', 0n],
        ],
      );
    },
  );

  /** The campaigns and ad groups that the console's fixtures name. */
  async function listed(tenant: Tenant): Promise<void> {
    await importRows(world(), 'campaigns', tenant.channelId, [
      { campaignId: '11', name: 'Lamps' },
      { campaignId: '12', name: 'Twins' },
      { campaignId: '13', name: 'Twins' },
      { campaignId: '14', name: 'Lamps', adType: 'SB' },
      { campaignId: '15', name: 'Brand', adType: 'SB' },
    ]);
    await importRows(world(), 'adGroups', tenant.channelId, [
      { adGroupId: '111', campaignId: '11', name: 'Group A' },
      { adGroupId: '112', campaignId: '11', name: 'Group B' },
      { adGroupId: '121', campaignId: '12', name: 'Group A' },
    ]);
  }

  const termColumns =
    'day, ad_group_id, impressions, clicks, cost, sales, conversions, units, units_same_sku, sales_same_sku';
  const termsBy = (ids: Readonly<Record<string, string>>) => [
    [january, '111', 1200, 15, 1_235_000_000n, 2_010_100_000n, 3, 4, 3, 1_510_100_000n],
    [january, '112', 30, 1, 50_000n, 0n, 0, 0, 0, 0n],
    ...[ids['Nowhere/Group A']!, ids['Lamps/Group X']!]
      .sort()
      .map((id) => [january + 1, id, 7, 1, 250_000n, 0n, 0, 0, 0, 0n]),
    [january + 1, '111', 7, 1, 250_000n, 0n, 0, 0, 0, 0n],
  ];

  /** The ids of campaigns by name, and of ad groups by the names of both. */
  async function idsByName(tenant: Tenant): Promise<Record<string, string>> {
    const campaigns = await held(world(), tenant, 'campaign', 'campaign_id, name');
    const nameOf = new Map(campaigns as [string, string][]);
    const adGroups = await held(world(), tenant, 'ad_group', 'ad_group_id, campaign_id, name');
    return Object.fromEntries([
      ...campaigns.map(([id, name]) => [name, id]),
      ...adGroups.map(([id, parent, name]) => [`${nameOf.get(parent as string)}/${name}`, id]),
    ]);
  }

  reads(
    'the search term report is added up by ad group and campaign, looked up by name',
    async () => {
      const tenant = await newTenant(world());
      await listed(tenant);
      refused(
        await importDocument(world(), tenant.channelId, fixture('searchTerms.csv')),
        /^the document needs attribution=7 \(it has sales of 7 days after a click\) \(import/,
      );
      const answer = await importDocument(
        world(),
        tenant.channelId,
        fixture('searchTerms.csv'),
        '&attribution=7',
      );
      const { dataset, rowsRead, rowsAccepted, rowsOlder } = answer.body;
      assert.deepEqual([dataset, rowsRead, rowsAccepted, rowsOlder], ['adsSpSearchTerms', 7, 6, 0]);
      assert.deepEqual(reasons(answer), [
        [
          8,
          '"Twins" is the name of 2 campaigns of Sponsored Products: use a document with their ids',
        ],
      ]);
      const ids = await idsByName(tenant);
      assert.deepEqual(await held(world(), tenant, 'ad_group_day', termColumns), termsBy(ids));
      const columns = 'day, campaign_id, impressions, clicks, cost, sales, currency';
      assert.deepEqual(await held(world(), tenant, 'campaign_day', columns), [
        [january, '11', 1230, 16, 1_235_050_000n, 2_010_100_000n, 'USD'],
        [january + 1, ids.Nowhere, 7, 1, 250_000n, 0n, 'USD'],
        [january + 1, '11', 14, 2, 500_000n, 0n, 'USD'],
      ]);
    },
  );

  reads(
    'a seller with the console alone needs no list; ids that appear later are adopted',
    async () => {
      const tenant = await newTenant(world());
      const { channelId } = tenant;
      const day = '&from=2025-03-01&to=2025-03-01';
      const campaigns = fixture('consoleCampaigns.csv');
      taken(await importDocument(world(), channelId, campaigns, day), 'adsConsoleCampaigns', 2);
      const terms = fixture('searchTerms.csv').replaceAll(',USD,', ',EUR,');
      const ofTerms = await importDocument(world(), channelId, terms, '&attribution=7');
      taken(ofTerms, 'adsSpSearchTerms', 7);
      const ids = await idsByName(tenant);
      assert.match(ids.Lamps!, /^0\d{24}$/);
      const listed = await held(world(), tenant, 'campaign', 'name, ad_type, status, updated_at');
      assert.deepEqual(listed, [
        ['Brand', 'SB', 'paused', 0],
        ['Lamps', 'SP', 'active', 0],
        ['Nowhere', 'SP', 'active', 0],
        ['Twins', 'SP', 'active', 0],
      ]);
      const query = `channelId=${channelId}&fromDate=${january * 86_400}&toDate=${(march + 1) * 86_400 - 1}&currency=EUR&sortKey=campaign_name&sortOrder=asc`;
      const rows = async () => {
        const { body } = await world().ask(tenant.key, 'GET', `/advertising/campaigns?${query}`);
        return body.data.map((row: Record<string, unknown>) => [
          row.campaign_name,
          row.clicks,
          row.cost,
          row.budget,
        ]);
      };
      // Lamps: 10 + 5 + 1 + 1 + 1 clicks on search terms, and 20 in the console's list.
      assert.deepEqual(await rows(), [
        ['Brand', 5, 2.5, 10],
        ['Lamps', 38, 2470.11, 25],
        ['Nowhere', 1, 0.25, 0],
        ['Twins', 1, 0.25, 0],
      ]);
      const groups = (id: string) =>
        `/advertising/adGroups?${query.replace('campaign_', 'ad_group_')}&campaignId=${id}`;
      const groupsOf = async (id: string) =>
        (await world().ask(tenant.key, 'GET', groups(id))).body.data.map(
          (row: Record<string, unknown>) => [row.ad_group_name, row.campaign_name, row.clicks],
        );
      const ofLamps = [
        ['Group A', 'Lamps', 16],
        ['Group B', 'Lamps', 1],
        ['Group X', 'Lamps', 1],
      ];
      assert.deepEqual(await groupsOf(ids.Lamps!), ofLamps);
      const report = {
        ...{ date: '2025-03-01', campaignId: '11', campaignName: 'Lamps', impressions: 1000 },
        ...{ clicks: 21, cost: 7, sales14d: 0, purchases14d: 0 },
      };
      taken(
        await importDocument(world(), channelId, JSON.stringify([report])),
        'adsSpCampaigns',
        1,
      );
      await importRows(world(), 'adGroups', channelId, [
        { adGroupId: '111', campaignId: '11', name: 'Group A' },
      ]);
      assert.deepEqual((await rows())[1], ['Lamps', 39, 1242.55, 0]);
      assert.deepEqual(await groupsOf('11'), ofLamps);
      assert.deepEqual(
        (await held(world(), tenant, 'ad_group_day', 'ad_group_id, campaign_id, clicks')).slice(-2),
        [
          ['111', '11', 1],
          ['111', '11', 15],
        ],
      );
      taken(
        await importDocument(world(), channelId, terms, '&attribution=7'),
        'adsSpSearchTerms',
        7,
      );
      assert.deepEqual(await groupsOf('11'), ofLamps);
    },
  );

  /** The console's campaigns, one of each type, with these clicks. */
  const consoleList = (clicks: number, ...types: string[]) =>
    ['Campaigns,State,Type,Budget,Impressions,Clicks,Spend']
      .concat(types.map((type) => `Own ${type},ENABLED,${type},1,9,${clicks},${clicks}.00`))
      .join('\n');

  reads('weeks and days of one kind never count twice, whichever comes first', async () => {
    const week = '&from=2025-01-05&to=2025-01-11&coarse=lastDay';
    const day = (date: string) => `&from=2025-01-${date}&to=2025-01-${date}`;
    const put = ({ channelId }: Tenant, clicks: number, query: string, ...types: string[]) =>
      importDocument(world(), channelId, consoleList(clicks, ...types), query);
    const clicks = (tenant: Tenant) =>
      held(world(), tenant, 'campaign_day', 'day, since, ad_type, clicks');
    const adSpend = async ({ key, channelId, merchantId }: Tenant) => {
      const reportOptions = { fromDate: 1735689600, toDate: 1738367999, timezone: 'UTC' };
      const body = { channelId, merchantId, reportOptions: { ...reportOptions, interval: 'M' } };
      const view = await world().ask(key, 'POST', '/reports/view/salesByPeriod', body);
      return view.body.formattedChartData[0].adSpend;
    };

    const weekFirst = await newTenant(world());
    taken(await put(weekFirst, 70, week, 'SP'), 'adsConsoleCampaigns', 1);
    taken(await put(weekFirst, 5, day('04'), 'SP'), 'adsConsoleCampaigns', 1);
    taken(await put(weekFirst, 3, day('07'), 'SB'), 'adsConsoleCampaigns', 1);
    for (const date of ['05', '07', '11'])
      refused(
        await put(weekFirst, 1, day(date), 'SP'),
        /^the dates overlap the facts of several days of adsConsoleCampaigns \(import \d+, 2025-01-05 to 2025-01-11\) on 2025-01-05 to 2025-01-11, so they would count twice: pass replace=true to remove those facts, or import other dates \(import/,
      );
    refused(
      await put(weekFirst, 1, '&from=2025-01-06&to=2025-01-12&coarse=lastDay', 'SP'),
      /the facts of several days/,
    );
    const rows = [{ date: '2025-01-07', campaignId: '1', adType: 'SP', clicks: 1 }];
    const own = await postImport(
      world(),
      `/operator/imports/campaignDays?channelId=${weekFirst.channelId}`,
      JSON.stringify(rows[0]),
      'application/x-ndjson',
    );
    refused(own, /the facts of several days of adsConsoleCampaigns/);
    taken(await put(weekFirst, 71, week, 'SP'), 'adsConsoleCampaigns', 1);
    const first = january - 1;
    const others = [
      [first, first, 'SP', 5],
      [january + 2, january + 2, 'SB', 3],
    ];
    assert.deepEqual(await clicks(weekFirst), [...others, [january + 6, january, 'SP', 71]]);
    assert.equal(await adSpend(weekFirst), '79.00');
    taken(await put(weekFirst, 2, `${day('07')}&replace=true`, 'SP'), 'adsConsoleCampaigns', 1);
    const replaced = [...others, [january + 2, january + 2, 'SP', 2]];
    assert.deepEqual(await clicks(weekFirst), replaced);
    assert.equal(await adSpend(weekFirst), '10.00');

    const daysFirst = await newTenant(world());
    for (const [date, number] of [
      ['04', 5],
      ['07', 2],
    ] as const)
      taken(await put(daysFirst, number, day(date), 'SP'), 'adsConsoleCampaigns', 1);
    refused(
      await put(daysFirst, 70, week, 'SP'),
      /^the dates overlap the facts of single days of adsConsoleCampaigns \(import \d+, 2025-01-07 to 2025-01-07\) on 2025-01-07,/,
    );
    taken(await put(daysFirst, 70, `${week}&replace=true`, 'SP'), 'adsConsoleCampaigns', 1);
    assert.deepEqual(await clicks(daysFirst), [
      [first, first, 'SP', 5],
      [january + 6, january, 'SP', 70],
    ]);
    assert.equal(await adSpend(daysFirst), '75.00');
  });

  reads(
    'search terms count only where no campaign report has figures, whichever comes first',
    async () => {
      const terms = fixture('searchTerms.csv').replaceAll(',USD,', ',EUR,');
      const [header, firstRow] = terms.split('\r\n') as [string, string];
      // Two weeks of the campaign; the report has figures within the first.
      const weeks = [
        header,
        firstRow.replace('"Jan 05, 2025","Jan 05, 2025"', '"Jan 12, 2025","Jan 18, 2025"'),
        firstRow.replace('"Jan 05, 2025","Jan 05, 2025"', '"Jan 19, 2025","Jan 25, 2025"'),
      ].join('\n');
      const figures = { campaignId: '11', campaignName: 'Lamps', impressions: 9, sales14d: 0 };
      const report = ['2025-01-05', '2025-01-15'].map((date) => ({
        ...{ date, clicks: 100, cost: 50, purchases14d: 0 },
        ...figures,
      }));
      const documents: ((tenant: Tenant) => Promise<void>)[] = [
        async ({ channelId }) =>
          taken(
            await importDocument(world(), channelId, JSON.stringify(report)),
            'adsSpCampaigns',
            2,
          ),
        async ({ channelId }) =>
          taken(
            await importDocument(world(), channelId, terms, '&attribution=7'),
            'adsSpSearchTerms',
            7,
          ),
        async ({ channelId }) =>
          taken(
            await importDocument(world(), channelId, weeks, '&attribution=7&coarse=lastDay'),
            'adsSpSearchTerms',
            2,
          ),
      ];
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
      ]) {
        const tenant = await newTenant(world());
        for (const index of order) await documents[index]!(tenant);
        const ids = await idsByName(tenant);
        assert.deepEqual([ids.Lamps, Object.keys(ids).length], ['11', 8]);
        const found = await held(world(), tenant, 'campaign_day', 'day, campaign_id, clicks');
        const expected = [
          [january, '11', 100],
          [january + 1, ids.Nowhere, 1],
          [january + 1, ids.Twins, 1],
          [january + 1, '11', 2],
          [january + 10, '11', 100],
          [january + 20, '11', 10],
        ];
        const byText = (rows: unknown[][]) => rows.map(String).sort();
        assert.deepEqual(byText(found), byText(expected), String(order));
        // Ad groups have no report of their own.
        const ofGroups = await held(world(), tenant, 'ad_group_day', 'day, clicks');
        assert.deepEqual(ofGroups.slice(-2), [
          [january + 13, 10],
          [january + 20, 10],
        ]);
      }
    },
  );

  reads(
    'rows of search terms whose campaign, ad group and keyword are reported are skipped',
    async () => {
      const tenant = await newTenant(world());
      const { channelId } = tenant;
      await listed(tenant);
      const day = { date: '2025-01-05', currency: 'USD', adType: 'SP', clicks: 1 };
      await importRows(world(), 'campaignDays', channelId, [{ ...day, campaignId: '11' }]);
      await importRows(world(), 'adGroupDays', channelId, [{ ...day, adGroupId: '111' }]);
      await importRows(world(), 'keywords', channelId, [
        {
          ...{ keywordId: '1111', adGroupId: '111', campaignId: '11' },
          ...{ keywordText: 'lamp', matchType: 'broad' },
        },
      ]);
      await importRows(world(), 'keywordDays', channelId, [{ ...day, keywordId: '1111' }]);
      const answer = await importDocument(
        world(),
        channelId,
        fixture('searchTerms.csv'),
        '&attribution=7',
      );
      const { rowsRead, rowsAccepted, rowsRejected, rowsSkipped } = answer.body;
      // Two terms of Group A on the 5th; those of Group B have no other figures.
      assert.deepEqual([rowsRead, rowsAccepted, rowsRejected, rowsSkipped], [7, 4, 1, 2]);
      assert.deepEqual(
        (await held(world(), tenant, 'ad_group_day', 'day, ad_group_id, clicks')).slice(0, 2),
        [
          [january, '111', 1],
          [january, '112', 1],
        ],
      );
    },
  );

  /** The fixture's table as cells, with its dates as a spreadsheet keeps them. */
  function asCells(): (string | number | SerialDate)[][] {
    const rows = fixture('searchTerms.csv').replace('\ufeff', '').trim().split('\r\n');
    return rows.map((line) => {
      const cells = line.match(/("[^"]*"|[^,]*)(?:,|$)/g)!.slice(0, 26);
      return cells.map((cell) => {
        const text = cell.replace(/,$/, '').replaceAll('"', '');
        // 2025-01-05 is Excel's day 45662.
        if (text === 'Jan 05, 2025') return { serial: 45_662 };
        if (text === 'Jan 06, 2025') return 45_663;
        return /^\$/.test(text) ? Number(text.replaceAll(/[$,]/g, '')) : text;
      });
    });
  }

  reads(
    'the same report as a spreadsheet gives the same figures, from the first sheet with its header',
    async () => {
      const tenant = await newTenant(world());
      await listed(tenant);
      const cells = asCells();
      const document = spreadsheet([[['Notes'], ['nothing of this']], cells]);
      const answer = await importDocument(world(), tenant.channelId, document, '&attribution=7');
      assert.deepEqual(
        reasons(answer).map(([line]) => line),
        [8],
      );
      const terms = termsBy(await idsByName(tenant));
      assert.deepEqual(await held(world(), tenant, 'ad_group_day', termColumns), terms);
      const list = document.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
      for (const [from, to] of [
        [list - 900, list],
        [list, document.length - 30],
      ] as const) {
        const damaged = Buffer.from(document).fill(0, from, to);
        refused(await importDocument(world(), tenant.channelId, damaged), /the XLSX is damaged/);
      }
      refused(
        await importDocument(world(), tenant.channelId, document.subarray(0, 900)),
        /the XLSX is damaged/,
      );
      refused(
        await importDocument(world(), tenant.channelId, spreadsheet([[['Notes'], ['none']]])),
        /unrecognised document/,
      );
      assert.deepEqual(await held(world(), tenant, 'ad_group_day', termColumns), terms);
    },
  );

  reads(
    'a spreadsheet that would not fit into memory is refused before it is unpacked',
    async () => {
      const tenant = await newTenant(world());
      const document = spreadsheet([[['Notes'], ['none']]]);
      // The size of the first file, in its entry in the archive's directory.
      const entry = document.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
      document.writeUInt32LE(300 * 1024 * 1024, entry + 24);
      const { status, body } = await importDocument(world(), tenant.channelId, document);
      assert.equal(status, 413);
      assert.match(body.error, /larger than 64 MiB, or than 256 MiB when unpacked: save it as CSV/);
    },
  );

  reads(
    'the document decides the order of day and month; ambiguous dates are refused',
    async () => {
      const tenant = await newTenant(world());
      await listed(tenant);
      const [header, row] = fixture('searchTerms.csv').split('\r\n') as [string, string];
      const dated = (...dates: string[]) =>
        [header, ...dates.map((date) => row.replaceAll('"Jan 05, 2025"', date))].join('\n');
      const days = async (...dates: string[]) => {
        const answer = await importDocument(
          world(),
          tenant.channelId,
          dated(...dates),
          '&attribution=7',
        );
        const found = await held(world(), tenant, 'ad_group_day', 'day');
        return { refusals: reasons(answer), from: answer.body.from, to: answer.body.to, found };
      };
      const ambiguous = await days('05/01/2025');
      assert.match(
        ambiguous.refusals[0]![1],
        /05\/01\/2025 has two readings, and no other date of the document shows/,
      );
      const dayFirst = await days('05/01/2025', '13/01/2025');
      assert.deepEqual([dayFirst.from, dayFirst.to], ['2025-01-05', '2025-01-13']);
      const monthFirst = await days('05/01/2025', '01/13/2025');
      assert.deepEqual([monthFirst.from, monthFirst.to], ['2025-01-13', '2025-05-01']);
      const both = await days('05/01/2025', '01/13/2025', '13/01/2025');
      assert.match(both.refusals[0]![1], /the document writes dates both ways/);
      const others = await days(
        '2025-02-01',
        '03.02.2025',
        '5 Feb 2025',
        '45696',
        '2025-02-07T00:00:00',
        '02/02/2025',
      );
      assert.deepEqual([others.refusals, others.from, others.to], [[], '2025-02-01', '2025-02-08']);
      assert.match((await days('soon')).refusals[0]![1], /must have a date \(it is "soon"\)/);
      const range = dated('x')
        .replace('Start Date', 'Date range')
        .replace('x,x,', '"Jan 05, 2025 - Jan 11, 2025",,');
      // Both at once.
      refused(
        await importDocument(world(), tenant.channelId, range),
        /^the document needs attribution=7 \(.*\) and coarse=lastDay \(.* such as 2025-01-05 to 2025-01-11,/,
      );
    },
  );

  reads('the newer search term report brings numbers of its own, and needs no list', async () => {
    const tenant = await newTenant(world());
    const titles =
      'Budget currency,Date range,Campaign ID,Campaign name,Ad group ID,Ad group name,Search term,Impressions,Clicks,Total cost,Purchases,Sales,Units sold,Units sold (promoted),Sales (new to brand)';
    const row = (term: string) =>
      `EUR,"Jan 05, 2025 - Jan 05, 2025","=""${beyond}""",Lamps,191234567890123456,All,${term},10,1,0.1,1,5.5,1,1,2.25`;
    const answer = await importDocument(
      world(),
      tenant.channelId,
      [titles, row('a'), row('b'), row('c')].join('\n'),
    );
    taken(answer, 'adsSpSearchTerms', 3);
    // Sponsored Products count nothing for customers new to the brand.
    assert.deepEqual(
      await held(
        world(),
        tenant,
        'ad_group_day',
        'ad_group_id, campaign_id, cost, sales, sales_ntb',
      ),
      [['191234567890123456', beyond, 300_000n, 16_500_000n, 0n]],
    );
    assert.deepEqual(await held(world(), tenant, 'campaign_day', 'campaign_id, cost, ad_type'), [
      [beyond, 300_000n, 'SP'],
    ]);
    assert.deepEqual(await held(world(), tenant, 'campaign', 'campaign_id, name, updated_at'), [
      [beyond, 'Lamps', 0],
    ]);
    assert.deepEqual(await held(world(), tenant, 'ad_group', 'ad_group_id, campaign_id, name'), [
      ['191234567890123456', beyond, 'All'],
    ]);
  });

  reads('the console’s campaigns post on the day given, with its amounts', async () => {
    const tenant = await newTenant(world());
    await listed(tenant);
    refused(
      await importDocument(world(), tenant.channelId, fixture('consoleCampaigns.csv')),
      /^the document needs from=YYYY-MM-DD&to=YYYY-MM-DD/,
    );
    const day = '&from=2025-03-01&to=2025-03-01';
    taken(
      await importDocument(world(), tenant.channelId, fixture('sdCampaigns.json')),
      'adsSdCampaigns',
      1,
    );
    taken(
      await importDocument(world(), tenant.channelId, fixture('consoleCampaigns.csv'), day),
      'adsConsoleCampaigns',
      2,
    );
    assert.deepEqual(await held(world(), tenant, 'campaign_day', dayColumns), [
      [march, '11', 'SP', 1234, 20, 1_234_560_000n, 5_000_100_000n, 4, 0, 'EUR'],
      [march, '15', 'SB', 500, 5, 2_500_000n, 0n, 0, 0, 'EUR'],
      [march, '601', 'SD', 2000, 8, 3_210_000n, 12_000_000n, 1, 2, 'EUR'],
    ]);
    const twoReadings = fixture('consoleCampaigns.csv').replace('1.234,56 €', '1.234 €');
    assert.deepEqual(reasons(await importDocument(world(), tenant.channelId, twoReadings, day)), [
      [2, 'cost must be a number (it is "1.234 €")'],
    ]);
  });

  reads(
    'numbers are read in the console’s format of any country, and refused if ambiguous',
    async () => {
      const tenant = await newTenant(world());
      const titles =
        'Currency,Date,Campaign ID,Campaign name,Ad group ID,Ad group name,Search term,Units sold (promoted),Clicks,Spend';
      const read = [
        ['$1,234.56', '1,234', 1_234_560_000n, 1234],
        ['1.234,56 €', '1.234', 1_234_560_000n, 1234],
        ['-$5.00', '0', -5_000_000n, 0],
        ['US$ 3.50', '7', 3_500_000n, 7],
        ['1\u00a0234,5 zł', '1 234', 1_234_500_000n, 1234],
        ['€0,05', '1.0', 50_000n, 1],
        ['1,234,567.89', '-', 1_234_567_890_000n, 0],
        ["CHF 1'000.10", '3', 1_000_100_000n, 3],
        ['0.125', '', 125_000n, 0],
        ['16.219999999999999', '2', 16_220_000n, 2],
      ] as const;
      const unreadable = ['1.234 €', '1,234 €', '12abc', '1,23,4', '(5)', '5%'];
      const row = (cost: string, clicks: string, id: number) =>
        `EUR,2025-01-05,1,Lamps,${id},G,t,0,"${clicks}","${cost}"`;
      const rows = [
        ...read.map(([cost, clicks], at) => row(cost, clicks, 101 + at)),
        ...unreadable.map((cost, at) => row(cost, '1', 201 + at)),
      ];
      const answer = await importDocument(world(), tenant.channelId, [titles, ...rows].join('\n'));
      assert.deepEqual(
        reasons(answer),
        unreadable.map((cost, at) => [
          read.length + at + 2,
          `cost must be a number (it is ${JSON.stringify(cost)})`,
        ]),
      );
      assert.deepEqual(
        await held(world(), tenant, 'ad_group_day', 'ad_group_id, cost, clicks'),
        read.map(([, , cost, clicks], at) => [String(101 + at), cost, clicks]),
      );
    },
  );

  reads(
    'a table of the console that is too long to wait in memory is refused with its bound',
    async () => {
      const tenant = await newTenant(world());
      const table = `Campaign name,Search term,Clicks,Spend,Units sold (promoted)\n${',,,,\n'.repeat(500_001)}`;
      refused(
        await importDocument(world(), tenant.channelId, gzipSync(table)),
        /more than 500,000 rows: split it by its dates/,
      );
    },
  );
});
