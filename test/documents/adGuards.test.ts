/**
 * Documents about advertising count for their own store and type alone, and of several about the
 * same campaigns one counts, in any order. The channels are in memory.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayNumber } from '../../src/calendar/period.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, holds } from '../facts.ts';
import { assertRefused, refused, taken } from '../imports.ts';
import { sampled } from '../level.ts';
import { listsOf, tablesBeside } from '../table.ts';

const tables = tablesBeside(import.meta.url, 'adGuards.tables.txt');

const dollars = { timezone: 'UTC', currency: 'USD' };
const api = JSON.parse(`{
  "date": "2026-07-14", "campaignId": "1", "campaignName": "Lamps", "impressions": 100,
  "clicks": 10, "cost": 10, "sales14d": 40, "purchases14d": 1, "campaignStatus": "ENABLED"
}`);
const termTitles =
  'Start Date,End Date,Campaign Name,Ad Group Name,Targeting,Match Type,Customer Search Term,Impressions,Clicks,7 Day Advertised SKU Units (#),Sales,Orders,Units,Advertised SKU Sales,Spend';
/** A search term report: a line per row, with its dates, campaign, target, term and spend. */
const terms = (rows: string) =>
  [
    termTitles,
    ...listsOf(rows).map(
      ([first, last, campaign, target, term, spend]) =>
        `${first},${last},${campaign},G,${target},EXACT,${term},9,1,0,0,0,0,0,${spend}`,
    ),
  ].join('\n');
const json = (...rows: object[]) => JSON.stringify(rows);

describe('Documents about advertising of a store', () => {
  test('rows of other stores are skipped by any sign of one, and a document of another is refused', async () => {
    const day = '2026-07-14,2026-07-14,Lamps,G,lamp,EXACT,lamp,9,1,0,0,0,0,0';
    for (const [title, own, other] of listsOf(tables.signs!)) {
      const channel = new MemoryChannel(dollars);
      const titles = `${termTitles}${title && `,${title}`}`;
      const rowOf = (cell: string) => (title ? `${day},1,"${cell}"` : `${day},"${cell}"`);
      const answer = await channel.import([titles, rowOf(own), rowOf(other)].join('\n'));
      const { rowsAccepted, otherStores, rowsRejected } = answer.body;
      assert.deepEqual([rowsAccepted, otherStores, rowsRejected], [1, 1, 0], `${title} ${other}`);
      const foreign = await channel.import([titles, rowOf(other)].join('\n'));
      refused(foreign, /the document belongs to .*, the channel to .*: import it into the channel/);
    }
    for (const other of [
      { campaignBudgetCurrencyCode: 'CAD' },
      { countryCode: 'CA' },
      { marketplaceId: 'A2EUQ1WTGCTBG2' },
    ]) {
      const channel = new MemoryChannel(dollars);
      const { body } = await channel.import(json(api, { ...api, ...other, campaignId: '2' }));
      assert.deepEqual([body.rowsRead, body.rowsAccepted, body.otherStores], [2, 1, 1]);
      refused(await channel.import(json({ ...api, ...other })), /the document belongs to /);
    }
  });

  test('a column that divides campaigns into parts makes a document another one', async () => {
    const channel = new MemoryChannel(dollars);
    taken(await channel.import(json(api)), 'adsSpCampaigns', 1);
    for (const name of [
      'segmentName',
      'audienceId',
      'campaignSite',
      'deviceType',
      'isBusinessOnly',
    ])
      refused(await channel.import(json({ ...api, [name]: 'x' })), /divides campaigns into parts/);
    assertRefused(
      await channel.import(json({ ...api, campaignPlacement: 'x' }), '&type=adsSpCampaigns'),
    )`the document is divided by placement`;
    for (const title of ['Placement', 'Audience segment', 'Site', 'Amazon Business'])
      refused(
        await channel.import(`${termTitles},${title}\n${',x'.repeat(15)}`),
        /divides campaigns into parts/,
      );
    await assertHeld(channel, 'campaign_day')`
      report, campaign_id, cost
      SP,     "1",         10`;
  });

  test('every type of advertising has its own rows', async () => {
    const channel = new MemoryChannel(dollars);
    const { sales14d: _, purchases14d: __, ...others } = api;
    const shared = { ...others, purchases: 1 };
    const television = { ...shared, campaignId: '2', sales: 90, salesViews: 80, purchasesViews: 3 };
    taken(await channel.import(json(television)), 'adsStCampaigns', 1);
    const brands = { ...shared, sales: 50, salesPromoted: 10 };
    taken(await channel.import(json(brands)), 'adsSbCampaigns', 1);
    const typed = json({ ...shared, adProduct: 'SPONSORED_TELEVISION', campaignId: '3' });
    refused(await channel.import(typed, '&type=adsSbCampaigns'), /belongs to Sponsored TV/);
    const types = ['SB2', 'Sponsored TV', 'ST', 'Amazon DSP', 'Google Ads', 'Meta'];
    const table = [
      'Date,State,Campaign name,Type,Budget,Impressions,Clicks,Orders,Sales,Spend',
      ...types.map((type, at) => `2026-07-15,ENABLED,C${at},${type},1,1,1,0,0,${at + 1}.00`),
    ].join('\n');
    taken(await channel.import(table), 'adsConsoleCampaigns', 6);
    await channel.importRows('campaignDays', [
      { date: '2026-07-16', campaignId: '4', adType: 'GOOGLE', cost: '7' },
    ]);
    await holds(channel, 'campaign_day', tables.types!);
  });
});

describe('Precedence of documents about advertising', () => {
  const target = { ...api, adGroupId: '11', adGroupName: 'G', matchType: 'EXACT' };
  const campaigns = json({ ...api, cost: 100 });
  const targets = json(
    { ...target, keywordId: '111', keyword: 'close-match', cost: 6 },
    { ...target, keywordId: '112', keyword: 'loose-match', cost: 4 },
    { ...target, keywordId: '112', keyword: 'loose-match', cost: 3, date: '2026-07-15' },
  );
  const placements = json(
    { ...api, placementClassification: 'Top', cost: 5 },
    { ...api, placementClassification: 'Top', cost: 2, date: '2026-07-16' },
  );
  const found = terms(`
    2026-07-14, 2026-07-14, Lamps, *, a, 1.00
    2026-07-15, 2026-07-15, Lamps, *, a, 1.00
    2026-07-16, 2026-07-16, Lamps, *, a, 1.00
    2026-07-17, 2026-07-17, Lamps, *, a, 1.50
    2026-07-10, 2026-07-13, Lamps, *, a, 2.00`);

  test('by campaign and date: reports, then targets, then placements, then search terms', async () => {
    const documents = [campaigns, targets, placements, found];
    const orders = documents.flatMap((first) =>
      documents.filter((one) => one !== first).map((second) => [first, second]),
    );
    for (const order of sampled(orders, 5)) {
      const channel = new MemoryChannel(dollars);
      // The list gives the search terms the ids of the reports.
      await channel.importRows('campaigns', [{ campaignId: '1', name: 'Lamps' }]);
      const names = { adGroupId: '11', campaignId: '1', name: 'G' };
      await channel.importRows('adGroups', [names]);
      const others = documents.filter((one) => !order.includes(one));
      for (const document of [...order, ...others])
        assert.equal((await channel.import(document)).status, 200);
      await holds(channel, 'campaign_day', tables.byCampaign!);
      // The targets of an ad group are complete, whatever the names of its search terms' targets.
      await holds(channel, 'keyword_day', tables.byTarget!);
    }
  });

  test('one day of a source and a summary of a later one are refused beside each other, until one replaces', async () => {
    const of = (startDate: string, endDate: string) => {
      const days = { date: undefined, startDate, endDate };
      return [
        json({ ...api, ...days, cost: 1 }),
        json({ ...target, ...days, keywordId: '111', keyword: 'a', cost: 2 }),
        json({ ...api, ...days, placementClassification: 'Top', cost: 3 }),
        terms(`${startDate}, ${endDate}, Lamps, *, a, 4.00`),
      ];
    };
    const [daily, whole] = [of('2026-07-14', '2026-07-14'), of('2026-07-01', '2026-07-31')];
    const opened = async (...documents: readonly string[]) => {
      const channel = new MemoryChannel(dollars);
      await channel.importRows('campaigns', [{ campaignId: '1', name: 'Lamps' }]);
      await channel.importRows('adGroups', [{ adGroupId: '11', campaignId: '1', name: 'G' }]);
      for (const document of documents)
        assert.equal((await channel.import(document, '&coarse=lastDay')).status, 200);
      return channel;
    };
    const pairs = daily.flatMap((day, place) =>
      whole.slice(place + 1).map((summary) => [day, summary, whole[place]!] as const),
    );
    for (const [day, summary, own] of sampled(pairs, 3)) {
      const [beside, before] = [await opened(day), await opened(summary)];
      assertRefused(await before.import(day, '&coarse=lastDay'))`
          the document has only 2026-07-14, but would replace the SP figures from … of 2026-07-01 to
          2026-07-31 (import #): import a document of all these dates, or pass replace=true to`;
      assertRefused(await beside.import(summary, '&coarse=lastDay'))`
          the SP figures… of 2026-07-14 (import #) go before the document's of 2026-07-01 to
          2026-07-31, whose other dates would be lost: import a document by day, or pass`;
      for (const [channel, last, since] of [
        [before, day, '2026-07-14'],
        [beside, summary, '2026-07-01'],
      ] as const) {
        assert.equal((await channel.import(last, '&coarse=lastDay&replace=true')).status, 200);
        assert.deepEqual(channel.held('campaign_day', 'since'), [[dayNumber(since)]]);
      }
      await opened(own, summary);
      await opened(summary, own);
    }
  });

  test('rows of a summary have dates of their own, and count on the last', async () => {
    const channel = new MemoryChannel(dollars);
    const summary = terms(`
      2026-07-09, 2026-07-13, A, lamp, brass lamp, 10.00
      2026-07-10, 2026-07-10, A, lamp, blue lamp,  3.00
      2026-07-11, 2026-07-13, A, lamp, red lamp,   1.00
      2026-07-09, 2026-07-12, B, mug,  mug,        2.00`);
    for (const query of ['', '&coarse=lastDay']) {
      const { body } = await channel.import(summary, query);
      assert.deepEqual([body.rowsAccepted, body.rowsCoarse], [4, 3]);
      await holds(channel, 'campaign_day', tables.summaries!);
    }
    const joined = terms(`
      2026-07-09, 2026-07-13, A, lamp, brass lamp, 10.00
      2026-07-11, 2026-07-15, A, lamp, brass lamp, 9.00`);
    assertRefused(await channel.import(joined))`
      rows of the document overlap, so they would count twice: 2026-07-09 to 2026-07-13 and
      2026-07-11 to 2026-07-15 (import each report by itself)`;
    const both = [1, 4].map((day) => ({
      ...api,
      startDate: `2026-07-0${day}`,
      endDate: '2026-07-09',
      date: undefined,
    }));
    refused(await channel.import(json(...both), '&coarse=lastDay'), /rows of the document overlap/);
  });
});
