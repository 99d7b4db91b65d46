/**
 * Documents about advertising of its API are read into the right tables, with exact figures and
 * ids, and what cannot be read is refused with a reason. The channels are in memory;
 * adImports.test.ts has the stores.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { fixture, holds } from '../facts.ts';
import { assertReasons, assertRefused, reasons, refused, taken } from '../imports.ts';
import { listsOf, rowsOf, tablesBeside } from '../table.ts';

const tables = tablesBeside(import.meta.url, 'adDocuments.tables.txt');

const parsed = (name: string) => JSON.parse(fixture(`ads.${name}`));
const euros = { timezone: 'UTC', currency: 'EUR' };

/** 2025-03-01 as a day number. */
const march = 20_148;
const beyond = '9007199254740993';
const dayColumns =
  'day, campaign_id, ad_type, impressions, clicks, cost, sales, conversions, units, currency';

/** The rows of a fixture without a field. */
const without = (field: string, name: string): object[] =>
  parsed(name).map((row: object) => ({ ...row, [field]: undefined }));

/**
 * Imports fixtures: a line names one, its kind, its number of rows and the options of the import.
 */
function takeAll(channel: MemoryChannel) {
  return async (texts: TemplateStringsArray, ...values: unknown[]): Promise<void> => {
    for (const [name, kind, rows, query] of listsOf(String.raw({ raw: texts }, ...values)))
      taken(await channel.import(fixture(`ads.${name}.json`), query), kind, rows);
  };
}

describe('Documents about advertising', () => {
  test('rows of a campaign are added up per date, exactly, and ids have every digit', async () => {
    const channel = new MemoryChannel(euros);
    const answer = await channel.import(gzipSync(fixture('ads.spCampaigns.json')));
    taken(answer, 'adsSpCampaigns', 4);
    assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-02']);
    const expected = [
      [march, '200', 'SP', 7, 1, 330_000n, 0n, 0, 0, 'EUR'],
      [march, beyond, 'SP', 150, 15, 3_300_000n, 20_300_000n, 3, 4, 'EUR'],
      [march + 1, beyond, 'SP', 80, 8, 4_400_000n, 30_000_000n, 3, 3, 'EUR'],
    ];
    assert.deepEqual(channel.held('campaign_day', dayColumns), expected);
    const campaigns = channel.held(
      'campaign',
      'campaign_id, name, status, budget, budget_type, bidding_strategy, updated_at',
    );
    assert.deepEqual(campaigns, [
      ['200', 'Shades', 'paused', 25_500_000n, 'daily', 'autoForSales', 0],
      [beyond, 'Lamps, new', 'active', 25_500_000n, 'daily', 'autoForSales', 0],
    ]);
    taken(await channel.import(fixture('ads.spCampaigns.json')), 'adsSpCampaigns', 4);
    assert.deepEqual(channel.held('campaign_day', dayColumns), expected);
  });

  test('the import chooses the attribution window; a document without it is refused with a reason', async () => {
    const channel = new MemoryChannel(euros);
    const ofSeven = await channel.import(fixture('ads.spCampaigns.json'), '&attribution=7');
    taken(ofSeven, 'adsSpCampaigns', 4);
    const sales = channel.held('campaign_day', 'day, campaign_id, sales');
    assert.deepEqual(sales, [
      [march, '200', 0n],
      [march, beyond, 10_150_000n],
      [march + 1, beyond, 15_000_000n],
    ]);
    const sevenOnly = fixture('ads.spCampaigns.json').replaceAll(/^.*14d.*\n/gm, '');
    assertRefused(await channel.import(sevenOnly, '&attribution=14'))`
      the document needs attribution=7 (it has sales7d, but not sales14d) (import`;
    // Without the option the document decides.
    taken(await channel.import(sevenOnly), 'adsSpCampaigns', 4);
    assert.deepEqual(channel.held('campaign_day', 'day, campaign_id, sales'), sales);
    const mixed = JSON.stringify(without('purchases14d', 'spCampaigns.json'));
    assertRefused(await channel.import(mixed, '&attribution=14'))`
      …attribution=7 (it has purchases7d, but not purchases14d)`;
  });

  test('reports of ad groups and advertised products feed their own tables; the ads of a product in an ad group are one row', async () => {
    const channel = new MemoryChannel(euros);
    await takeAll(channel)`
      spAdGroups, adsSpAdGroups, 2
      sbAdGroups, adsSbAdGroups, 1
      sdAdGroups, adsSdAdGroups, 1`;
    await holds(channel, 'ad_group_day', tables.adGroupDays!);
    await holds(channel, 'ad_group', tables.adGroups!);
    await takeAll(channel)`
      spAdvertisedProducts, adsSpAdvertisedProducts, 4
      sdAdvertisedProducts, adsSdAdvertisedProducts, 2`;
    await holds(channel, 'ad_product_day', tables.adProductDays!);
    assert.deepEqual(channel.held('campaign_day', 'campaign_id'), []);
  });

  test('campaigns inferred from reports never replace listed ones and are not counted', async () => {
    const channel = new MemoryChannel(euros);
    await channel.importRows('campaigns', [
      { campaignId: '200', name: 'As listed', status: 'archived', budget: 7 },
    ]);
    taken(await channel.import(fixture('ads.spCampaigns.json')), 'adsSpCampaigns', 4);
    assert.deepEqual(channel.held('campaign', 'campaign_id, name, status'), [
      ['200', 'As listed', 'archived'],
      [beyond, 'Lamps, new', 'active'],
    ]);
    const [brands] = parsed('sbCampaigns.json');
    const strange = [{ ...brands, campaignStatus: 'PROPOSED' }];
    taken(await channel.import(JSON.stringify(strange)), 'adsSbCampaigns', 1);
    const nameless = without('campaignName', 'sdCampaigns.json');
    taken(await channel.import(JSON.stringify(nameless)), 'adsSdCampaigns', 1);
    assert.deepEqual(channel.held('campaign', 'campaign_id, ad_type'), [
      ['200', 'SP'],
      ['501', 'SB'],
      [beyond, 'SP'],
    ]);
    const later = { campaignId: '501', name: 'Listed later', adType: 'SB' };
    await channel.importRows('campaigns', [later]);
    assert.deepEqual(channel.held('campaign', 'campaign_id, name')[1], ['501', 'Listed later']);
  });

  test('columns that fit several kinds are refused with the kinds to choose from, and a kind that they do not fit as well', async () => {
    const channel = new MemoryChannel(euros);
    const plain = JSON.stringify(
      rowsOf(`
        date,         campaignId, impressions, clicks, cost, sales, purchases
        "2025-03-01", 5,          1,           1,      1.5,  3,     1`),
    );
    assertRefused(await channel.import(plain))`
      …matches several kinds: pass type=adsSbCampaigns or type=adsSdCampaigns or
      type=adsStCampaigns`;
    assertRefused(await channel.import(plain, '&type=adsSpCampaigns'))`
      …has columns of Sponsored Brands or Sponsored Display or Sponsored TV, but the import names
      Sponsored Products`;
    taken(await channel.import(plain, '&type=adsSdCampaigns'), 'adsSdCampaigns', 1);
    assert.deepEqual(channel.held('campaign_day', 'campaign_id, ad_type, cost'), [
      ['5', 'SD', 1_500_000n],
    ]);
    assertRefused(await channel.import(fixture('ads.v3.spCampaigns.json'), '&type=adsSpCampaigns'))`
      …is not a report`;
    const searchTerms = JSON.stringify([
      { ...parsed('spAdGroups.json')[0], searchTerm: 'lamp', keywordId: 1 },
    ]);
    refused(await channel.import(searchTerms), /unrecognised document/);
  });

  test('multi-day rows, rows without a date and damaged numbers are rejected with advice', async () => {
    const channel = new MemoryChannel(euros);
    const [row] = parsed('sbCampaigns.json');
    const { date: _, ...undated } = row;
    const summary = { ...undated, startDate: '2025-03-01', endDate: '2025-03-07' };
    const send = (rows: readonly object[], query = '') =>
      channel.import(JSON.stringify(rows), query);
    assertRefused(await send([summary, summary]))`
      the document needs coarse=lastDay (its rows cover several days, such as 2025-03-01 to
      2025-03-07,`;
    const mixed = await send([row, summary]);
    assert.match(reasons(mixed)[0]![1], /covers 2025-03-01 to 2025-03-07.*coarse=lastDay/);
    const booked = await send([summary], '&coarse=lastDay&replace=true');
    const { rowsAccepted, rowsCoarse, from } = booked.body;
    assert.deepEqual([rowsAccepted, rowsCoarse, from], [1, 1, '2025-03-01']);
    assert.deepEqual(channel.held('campaign_day', 'day, campaign_id'), [[march + 6, '501']]);
    assertRefused(await send([undated, undated]))`
      the document needs from=YYYY-MM-DD&to=YYYY-MM-DD (its rows have no dates; for several days,
      also coarse=lastDay) (import`;
    const changes = [
      { date: '2025-02-30' },
      { clicks: 1.5 },
      { campaignBudgetCurrencyCode: 'USD' },
      { campaignBudgetCurrencyCode: 'EUR' },
    ];
    const wrong = changes.map((change) => ({ ...row, ...change }));
    assertReasons(await send(wrong, '&replace=true'))`
      1 date must be a date (YYYY-MM-DD)
      2 clicks must be a whole number (it is 1.5)`;
    const shortened = JSON.stringify([row]).replace('"501"', '1.2345E17');
    const [[, reason]] = reasons(await channel.import(shortened)) as [[number, string]];
    const inFull =
      /campaignId must be an identifier of at most 200 characters; a number must be written in full/;
    assert.match(reason, inFull);
    assert.equal((await channel.import(JSON.stringify([row]).slice(0, -20))).status, 400);
  });

  test('version 2 reports are imported for the one day given', async () => {
    const channel = new MemoryChannel({ timezone: 'UTC', currency: 'USD' });
    const bare = fixture('ads.v2.spReport.json');
    assertRefused(await channel.import(bare))`
      …pass type=adsSpCampaigns or type=adsSbCampaigns or type=adsSdCampaigns`;
    const day = '&from=2025-03-01&to=2025-03-01';
    refused(
      await channel.import(bare, `&type=adsSpCampaigns${day}`),
      /the rows lack sales14d, purchases14d: request the report with these columns/,
    );
    for (const type of ['Sp', 'Sd'])
      taken(
        await channel.import(
          fixture(`ads.v2.${type.toLowerCase()}Report.json`).replaceAll(
            '"clicks"',
            '"attributedSales14d": 0, "attributedConversions14d": 0, "clicks"',
          ),
          `&type=ads${type}Campaigns${day}`,
        ),
        `ads${type}Campaigns`,
        3,
      );
    assert.deepEqual(channel.held('campaign_day', 'ad_type, campaign_id, clicks, cost, currency'), [
      ['SD', '161883766', 3120, 780_000_000n, 'USD'],
      ['SD', '383872607', 1087, 293_490_000n, 'USD'],
      ['SD', '463677387', 980, 215_590_000n, 'USD'],
      ['SP', '110682930291375', 1490, 387_400_000n, 'USD'],
      ['SP', '172454944939508', 1124, 314_720_000n, 'USD'],
      ['SP', '263323102387247', 3421, 547_360_000n, 'USD'],
    ]);
    const named = JSON.stringify(
      rowsOf(
        'campaignId,impressions,clicks,cost,attributedSales14d,attributedSales14dSameSKU,attributedConversions14d\n9,1,1,1,4,3,2',
      ),
    );
    taken(await channel.import(named, `&type=adsSpCampaigns${day}`), 'adsSpCampaigns', 1);
    const columns = 'campaign_id, sales, sales_same_sku, conversions';
    const ofNamed = channel.held('campaign_day', `ad_type, ${columns}`).at(-1);
    assert.deepEqual(ofNamed, ['SP', '9', 4_000_000n, 3_000_000n, 2]);
    assertRefused(await channel.import(named, `&type=adsSpCampaigns&attribution=7${day}`))`
      …attribution=14 (it has attributedSales14d, but not sales7d)`;
  });

  test('the fields of campaign lists of versions 2 and 3 reveal their ad type', async () => {
    const channel = new MemoryChannel(euros);
    await takeAll(channel)`
      v3.spCampaigns, adsCampaignList, 3
      v3.sbCampaigns, adsCampaignList, 2
      v2.spCampaigns, adsCampaignList, 3
      v2.sbCampaigns, adsCampaignList, 1
      v2.sdCampaigns, adsCampaignList, 2`;
    const budgetValue = { monetaryBudget: { currencyCode: 'EUR', amount: 12.5 } };
    const [one, other] = rowsOf(`
      adProduct,          campaignId, name,         state,   startDate,  targetingSettings, costType
      SPONSORED_PRODUCTS, "77",       Exported,     PAUSED,  2023-11-30, MANUAL,
      SPONSORED_DISPLAY,  "78",       Exported too, ENABLED, ,           ,                  VCPM`);
    const optimization = { bidStrategy: 'SALES_BID_DOWN_ONLY' };
    const budgetCaps = { recurrenceTimePeriod: 'DAILY', budgetValue };
    const exported = [{ ...one, optimization, budgetCaps }, other];
    taken(await channel.import(JSON.stringify(exported)), 'adsCampaignList', 2);
    const columns =
      'campaign_id, ad_type, status, budget, start_date, end_date, targeting_type, bidding_strategy, cost_type';
    const found = channel.held('campaign', columns);
    assert.equal(found.length, 13);
    assert.ok(channel.held('campaign', 'budget_type').every(([type]) => type === 'daily'));
    const expected = listsOf(tables.campaigns!);
    const ids = expected.map(([id]) => id);
    assert.deepEqual(
      found.filter(([id]) => ids.includes(id)),
      expected,
    );
    const listed = fixture('ads.v3.sbCampaigns.json');
    assertReasons(await channel.import(listed, '&type=adsSpCampaignList'))`
      1 belongs to Sponsored Brands, but the import names Sponsored Products
      2 belongs to Sponsored Brands, but the import names Sponsored Products`;
  });

  test('lists of ad groups: one body or one per line; without a type, refused until it is named', async () => {
    const channel = new MemoryChannel(euros);
    const bodies = [parsed('v3.spAdGroups.json'), parsed('v3.sbAdGroups.json')]
      .map((body) => JSON.stringify(body))
      .join('\n');
    taken(await channel.import(bodies), 'adsAdGroupList', 4);
    assertRefused(await channel.import(fixture('ads.v2.adGroups.json')))`
      …does not show the type of its ad groups: pass type=adsSpAdGroupList or adsSdAdGroupList`;
    await takeAll(channel)`v2.adGroups, adsSpAdGroupList, 3, &type=adsSpAdGroupList`;
    await holds(channel, 'ad_group', tables.listedAdGroups!);
  });
});
