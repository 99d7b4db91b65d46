/**
 * Documents about advertising become facts of both pairs of stores: each replaces its own days and
 * type alone, no click counts twice, and real ids replace those that were made up for names.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsByName } from './adNames.ts';
import { fixture } from './facts.ts';
import { onOnePair } from './harness.ts';
import { assertRefused, refused, taken } from './imports.ts';
import { sampled } from './level.ts';
import { StoredChannel } from './storedChannel.ts';
import { listsOf } from './table.ts';

const parsed = (name: string) => JSON.parse(fixture(`ads.${name}`));

type Row = Readonly<Record<string, unknown>>;

const euros = { timezone: 'UTC', currency: 'EUR' };
const dollars = { timezone: 'UTC', currency: 'USD' };
const day = '&from=2025-03-01&to=2025-03-01';

/** 2025-03-01 as a day number. */
const march = 20_148;
/** 2025-01-05. */
const january = 20_093;
const beyond = '9007199254740993';
const dayColumns =
  'day, campaign_id, ad_type, impressions, clicks, cost, sales, conversions, units, currency';

/** The figures of rows of reports that sold nothing. */
const unsold = { impressions: 9, sales14d: 0, purchases14d: 0 };

/** The figures of all of these days together. */
async function viewed({ world, tenant }: StoredChannel, first: number, last: number) {
  const { key, channelId, merchantId } = tenant;
  const dates = { fromDate: first * 86_400, toDate: (last + 1) * 86_400 - 1 };
  const reportOptions = { ...dates, timezone: 'UTC', interval: 'M' };
  const body = { channelId, merchantId, reportOptions };
  const answer = await world.ask(key, 'POST', '/reports/view/salesByPeriod', body);
  return answer.body.formattedChartData[0];
}

/** The console's list of a campaign of a type with these clicks. */
const consoleList = (clicks: number, type: string) =>
  `Campaigns,State,Type,Budget,Impressions,Orders,Sales,Clicks,Spend\nOwn ${type},ENABLED,${type},1,9,0,0,${clicks},${clicks}.00`;

onOnePair('Documents about advertising', (world) => {
  test('types of advertising share days: a document replaces the rows of its own type only', async () => {
    const channel = await StoredChannel.open(world(), euros);
    taken(await channel.import(fixture('ads.spCampaigns.json')), 'adsSpCampaigns', 4);
    taken(await channel.import(fixture('ads.sbCampaigns.json')), 'adsSbCampaigns', 1);
    taken(await channel.import(fixture('ads.sdCampaigns.json')), 'adsSdCampaigns', 1);
    const ofBrands = [march, '501', 'SB', 1000, 20, 9_990_000n, 50_000_000n, 5, 6, 'EUR'];
    const ofDisplay = [march, '601', 'SD', 2000, 8, 3_210_000n, 12_000_000n, 1, 2, 'EUR'];
    const all = await channel.held('campaign_day', dayColumns);
    const found = all.map((row) => row[1]);
    assert.deepEqual(found, ['200', '501', '601', beyond, beyond]);
    assert.deepEqual([all[1], all[2]], [ofBrands, ofDisplay]);
    const more =
      'ad_type, sales_same_sku, conversions_same_sku, orders_ntb, units_ntb, sales_ntb, detail_page_views';
    const figures = await channel.held('campaign_day', more);
    assert.deepEqual(figures.slice(0, 2), [
      ['SB', 30_000_000n, 3, 2, 3, 22_000_000n, 15],
      ['SD', 10_000_000n, 1, 1, 2, 12_000_000n, 4],
    ]);
    const { adSpend, adSales, impressions } = await viewed(channel, march, march);
    // 3.3 + 0.33 + 9.99 + 3.21 and 20.3 + 50 + 12
    assert.deepEqual([adSpend, adSales, impressions], ['16.83', '82.30', 3157]);
    const restated = parsed('spCampaigns.json').filter((row: Row) => row.campaignId !== 200);
    const pattern = /"campaignId":\d{10,}/g;
    const exact = JSON.stringify(restated).replaceAll(pattern, `"campaignId":${beyond}`);
    taken(await channel.import(exact), 'adsSpCampaigns', 3);
    const left = await channel.held('campaign_day', dayColumns);
    assert.deepEqual(left, [all[1], all[2], all[3], all[4]]);
    const query = '&type=adsSpCampaigns&from=2025-03-01&to=2025-03-01';
    const emptied = await channel.import('[]', query);
    assert.equal(emptied.status, 200, JSON.stringify(emptied.body));
    assert.deepEqual(await channel.held('campaign_day', dayColumns), [all[1], all[2], all[4]]);
  });

  test('rows of summaries are compared by campaign, and those that begin earlier stay', async () => {
    const channel = await StoredChannel.open(world(), euros);
    const row = (campaignId: string, first: string, last: string, cost: number) => {
      const dates = { startDate: `2025-01-${first}`, endDate: `2025-01-${last}` };
      return { ...unsold, ...dates, campaignId, campaignName: campaignId, clicks: 1, cost };
    };
    const send = (query: string, ...rows: object[]) =>
      channel.import(JSON.stringify(rows), `&coarse=lastDay${query}`);
    const costs = () => channel.held('campaign_day', 'campaign_id, since, day, cost');
    const [a, b] = [row('1', '05', '11', 1), row('2', '07', '09', 2)];
    taken(await send('', a, b), 'adsSpCampaigns', 2);
    // Its days end together with the first campaign's, which began earlier.
    taken(await send('', row('3', '10', '11', 4)), 'adsSpCampaigns', 1);
    const held = [
      ['1', january, january + 6, 1_000_000n],
      ['2', january + 2, january + 4, 2_000_000n],
      ['3', january + 5, january + 6, 4_000_000n],
    ];
    assert.deepEqual(await costs(), held);
    const later = row('1', '10', '14', 8);
    refused(await send('', later), /overlap the facts of several days of adsSpCampaigns.*replace=/);
    const single = { ...row('2', '08', '08', 16) };
    refused(await send('', single), /overlap the facts of several days/);
    // A later summary of the same days replaces an earlier one.
    taken(await send('', a, row('2', '06', '09', 3)), 'adsSpCampaigns', 2);
    taken(await send('&replace=true', later), 'adsSpCampaigns', 1);
    assert.deepEqual(await costs(), [
      ['1', january + 5, january + 9, 8_000_000n],
      ['2', january + 1, january + 4, 3_000_000n],
    ]);
  });
});

onOnePair('Documents about advertising, with reports of several kinds', (world) => {
  test('a seller with the console alone needs no list; ids that appear later are adopted', async () => {
    const channel = await StoredChannel.open(world(), dollars);
    const campaigns = fixture('ads.consoleCampaigns.csv')
      .replaceAll('(EUR)', '(USD)')
      .replaceAll(' €', '');
    taken(await channel.import(campaigns, day), 'adsConsoleCampaigns', 2);
    const terms = fixture('ads.searchTerms.csv');
    const ofTerms = await channel.import(terms, '&attribution=7');
    taken(ofTerms, 'adsSpSearchTerms', 7);
    const ids = await idsByName(channel);
    assert.match(ids.Lamps!, /^0\d{24}$/);
    const listed = await channel.held('campaign', 'name, ad_type, status, updated_at');
    assert.deepEqual(listed, [
      ['Brand', 'SB', 'paused', 0],
      ['Lamps', 'SP', 'active', 0],
      ['Nowhere', 'SP', 'active', 0],
      ['Twins', 'SP', 'active', 0],
    ]);
    const { key, channelId } = channel.tenant;
    const query = `channelId=${channelId}&fromDate=${january * 86_400}&toDate=${(march + 1) * 86_400 - 1}&currency=USD&sortKey=campaign_name&sortOrder=asc`;
    const rows = async () => {
      const { body } = await world().ask(key, 'GET', `/advertising/campaigns?${query}`);
      return body.data.map((row: Row) => [row.campaign_name, row.clicks, row.cost, row.budget]);
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
    const groupsOf = async (id: string) => {
      const { body } = await world().ask(key, 'GET', groups(id));
      return body.data.map((row: Row) => [row.ad_group_name, row.campaign_name, row.clicks]);
    };
    const ofLamps = [
      ['Group A', 'Lamps', 16],
      ['Group B', 'Lamps', 1],
      ['Group X', 'Lamps', 1],
    ];
    assert.deepEqual(await groupsOf(ids.Lamps!), ofLamps);
    const report = JSON.parse(`{
      "date": "2025-03-01", "campaignId": "11", "campaignName": "Lamps", "impressions": 1000,
      "clicks": 21, "cost": 7, "sales14d": 0, "purchases14d": 0
    }`);
    taken(await channel.import(JSON.stringify([report])), 'adsSpCampaigns', 1);
    await channel.importRows('adGroups', [{ adGroupId: '111', campaignId: '11', name: 'Group A' }]);
    assert.deepEqual((await rows())[1], ['Lamps', 39, 1242.55, 0]);
    assert.deepEqual(await groupsOf('11'), ofLamps);
    const days = await channel.held('ad_group_day', 'ad_group_id, campaign_id, clicks');
    assert.deepEqual(days.slice(-2), listsOf('"111", "11", 1\n"111", "11", 15'));
    taken(await channel.import(terms, '&attribution=7'), 'adsSpSearchTerms', 7);
    assert.deepEqual(await groupsOf('11'), ofLamps);
  });

  test('weeks and days of one kind never count twice, whichever comes first', async () => {
    const week = '&from=2025-01-05&to=2025-01-11&coarse=lastDay';
    const day = (date: string) => `&from=2025-01-${date}&to=2025-01-${date}`;
    const put = (channel: StoredChannel, clicks: number, query: string, type = 'SP') =>
      channel.import(consoleList(clicks, type), query);
    const clicks = (channel: StoredChannel) =>
      channel.held('campaign_day', 'day, since, ad_type, clicks');
    const adSpend = async (channel: StoredChannel) =>
      (await viewed(channel, january - 4, january + 26)).adSpend;

    const weekFirst = await StoredChannel.open(world(), euros);
    taken(await put(weekFirst, 70, week), 'adsConsoleCampaigns', 1);
    taken(await put(weekFirst, 5, day('04')), 'adsConsoleCampaigns', 1);
    taken(await put(weekFirst, 3, day('07'), 'SB'), 'adsConsoleCampaigns', 1);
    for (const date of ['05', '07', '11'])
      refused(
        await put(weekFirst, 1, day(date)),
        /^the dates overlap the facts of several days of adsConsoleCampaigns \(import \d+, 2025-01-05 to 2025-01-11\) on 2025-01-05 to 2025-01-11, so they would count twice: pass replace=true to remove those facts, or import other dates \(import/,
      );
    assertRefused(await put(weekFirst, 1, '&from=2025-01-06&to=2025-01-12&coarse=lastDay'))`
      …the facts of several days`;
    const rows = await weekFirst.held('campaign_day', 'campaign_id, ad_type');
    const [campaignId] = rows.find(([, type]) => type === 'SP')!;
    const row = { date: '2025-01-07', campaignId, adType: 'SP', clicks: 1 };
    const own = await weekFirst.post('campaignDays', JSON.stringify(row));
    refused(own, /the facts of several days of adsConsoleCampaigns/);
    taken(await put(weekFirst, 71, week), 'adsConsoleCampaigns', 1);
    const first = january - 1;
    const others = [
      [first, first, 'SP', 5],
      [january + 2, january + 2, 'SB', 3],
    ];
    assert.deepEqual(await clicks(weekFirst), [...others, [january + 6, january, 'SP', 71]]);
    assert.equal(await adSpend(weekFirst), '79.00');
    taken(await put(weekFirst, 2, `${day('07')}&replace=true`), 'adsConsoleCampaigns', 1);
    const replaced = [...others, [january + 2, january + 2, 'SP', 2]];
    assert.deepEqual(await clicks(weekFirst), replaced);
    assert.equal(await adSpend(weekFirst), '10.00');

    const daysFirst = await StoredChannel.open(world(), euros);
    for (const [date, number] of Object.entries({ '04': 5, '07': 2 }))
      taken(await put(daysFirst, number, day(date)), 'adsConsoleCampaigns', 1);
    assertRefused(await put(daysFirst, 70, week))`
      the dates overlap the facts of single days of adsConsoleCampaigns (import #, 2025-01-07 to
      2025-01-07) on 2025-01-07,`;
    taken(await put(daysFirst, 70, `${week}&replace=true`), 'adsConsoleCampaigns', 1);
    assert.deepEqual(await clicks(daysFirst), [
      [first, first, 'SP', 5],
      [january + 6, january, 'SP', 70],
    ]);
    assert.equal(await adSpend(daysFirst), '75.00');
  });

  test('search terms count only where no campaign report or own row has figures, whichever comes first', async () => {
    const terms = fixture('ads.searchTerms.csv');
    const [header, firstRow] = terms.split('\r\n') as [string, string];
    // Two weeks of the campaign; the report is of the whole first one.
    const weeks = [
      header,
      firstRow.replace('"Jan 05, 2025","Jan 05, 2025"', '"Jan 12, 2025","Jan 18, 2025"'),
      firstRow.replace('"Jan 05, 2025","Jan 05, 2025"', '"Jan 19, 2025","Jan 25, 2025"'),
    ].join('\n');
    const report = ['2025-01-05', '2025-01-15', '2025-01-18'].map((date) => {
      return { ...unsold, date, campaignId: '11', campaignName: 'Lamps', clicks: 100, cost: 50 };
    });
    const documents = [
      [JSON.stringify(report), '', 'adsSpCampaigns', 3],
      [terms, '&attribution=7', 'adsSpSearchTerms', 7],
      [weeks, '&attribution=7&coarse=lastDay', 'adsSpSearchTerms', 2],
    ] as const;
    const orders = listsOf(`
        0, 1, 2
        2, 1, 0
        1, 0, 2`);
    const own = report.map(({ date, campaignId, clicks }) => ({ date, campaignId, clicks }));
    const some = sampled(orders, 3);
    for (const order of [...some, ...some.map((one) => [...one, 'own'])]) {
      const channel = await StoredChannel.open(world(), dollars);
      const isOwn = order.includes('own');
      if (isOwn) await channel.importRows('campaigns', [{ campaignId: '11', name: 'Lamps' }]);
      for (const index of order.slice(0, 3) as number[]) {
        const [document, query, kind, rows] = documents[index]!;
        if (isOwn && index === 0) await channel.importRows('campaignDays', own);
        else taken(await channel.import(document, query), kind, rows);
      }
      const ids = await idsByName(channel);
      assert.deepEqual([ids.Lamps, Object.keys(ids).length], ['11', 8]);
      const found = await channel.held('campaign_day', 'day, campaign_id, clicks');
      const expected = [
        [january, '11', 100],
        [january + 1, ids.Nowhere, 1],
        [january + 1, ids.Twins, 1],
        [january + 1, '11', 2],
        [january + 10, '11', 100],
        [january + 13, '11', 100],
        [january + 20, '11', 10],
      ];
      const byText = (rows: unknown[][]) => rows.map(String).sort();
      assert.deepEqual(byText(found), byText(expected), String(order));
      await channel.import(JSON.stringify(report));
      assert.equal((await viewed(channel, january, january)).clicks, 100, String(order));
    }
  });

  test('a click-through rate of search terms alone is unknown, and the answer warns of it', async () => {
    const channel = await StoredChannel.open(world(), dollars);
    taken(await channel.import(fixture('ads.searchTerms.csv')), 'adsSpSearchTerms', 7);
    const figures = { ...unsold, impressions: 200, clicks: 3, cost: 1 };
    const report = { date: '2025-01-07', campaignId: '11', campaignName: 'Lamps', ...figures };
    taken(await channel.import(JSON.stringify([report])), 'adsSpCampaigns', 1);
    const { key, channelId, merchantId } = channel.tenant;
    const dates = { fromDate: january * 86_400, toDate: (january + 3) * 86_400 - 1 };
    const ask = async (path: string, more: object) => {
      const reportOptions = { ...dates, timezone: 'UTC', ...more };
      const body = { channelId, merchantId, currentCurrency: 'USD', reportOptions };
      return await world().ask(key, 'POST', `/reports/view/${path}`, body);
    };
    const days = await ask('salesByPeriod', { interval: 'd' });
    const rows: { clickThroughRate: string }[] = days.body.formattedChartData;
    // Of the last day, 3 of 200.
    const clickThroughRates = rows.map((row) => row.clickThroughRate);
    assert.deepEqual(clickThroughRates, ['-', '-', '1.50']);
    const stores = await ask('advertisingByChannels', {});
    assert.equal(stores.body.data.items[0].ctr, '-');
    const fresh = await world().operate('GET', `/operator/freshness?channelId=${channelId}`);
    const [{ about, from, to }] = fresh.notes;
    assert.deepEqual([about, from, to], ['searchTermsOnly', '2025-01-05', '2025-01-06']);
    for (const { headers } of [days, stores])
      assert.match(String(headers['vitrine-warning']), /^search-terms-only;store="/);
  });

  test('documents that an earlier version read in another way are named until they come again', async () => {
    const channel = await StoredChannel.open(world(), dollars);
    const campaign = { campaignId: 11, campaignName: 'Lamps', impressions: 9, clicks: 3, cost: 1 };
    const ofDay = (date: string, ...more: object[]) =>
      JSON.stringify(
        more.map((one) => ({ ...campaign, date, sales14d: 0, purchases14d: 0, ...one })),
      );
    const keyword = { adGroupId: 111, keywordId: 1, keyword: 'lamp', matchType: 'EXACT' };
    const targets = ofDay('2025-01-05', keyword);
    const documents = [
      targets,
      ofDay('2025-01-06', {}),
      // Two rows of a campaign and day became one, as placements did.
      ofDay('2025-01-07', {}, { cost: 2 }),
      ofDay('2025-01-08', {}, { cost: 2 }),
    ];
    const ids: number[] = [];
    for (const document of documents) ids.push((await channel.import(document)).body.importId);
    await world()
      .registry.records.updateTable('import')
      .set({ reading: null })
      .where('importId', 'in', ids)
      .execute();
    const { channelId } = channel.tenant;
    const notes = async () =>
      (await world().operate('GET', `/operator/freshness?channelId=${channelId}`)).notes;
    const [{ about, from, to, imports }] = await notes();
    assert.deepEqual([about, from, to], ['earlierReadings', '2025-01-05', '2025-01-08']);
    assert.deepEqual(imports, [ids[0], ids[2], ids[3]]);
    const { findings } = await world().operate('GET', '/operator/diagnosis');
    const found = findings.find(({ subject }: { subject: string }) => subject === 'readings');
    assert.match(found.finding, new RegExp(channelId));
    await channel.import(targets);
    await channel.import(ofDay('2025-01-07', {}));
    assert.deepEqual((await notes())[0].imports, [ids[3]]);
    await channel.import(ofDay('2025-01-08', {}));
    assert.deepEqual(await notes(), []);
  });
});
