/**
 * Documents with keywords and targets of advertising become keywords and their figures; real ids
 * replace those that names get, and no click counts twice.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { fixture } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, reasons, refused, taken } from '../imports.ts';
import { StoredChannel } from '../storedChannel.ts';
import { rowsOf } from '../table.ts';

/** 2025-03-01 as a day number. */
const march = 20_148;
const day = '&from=2025-03-01&to=2025-03-01';
const beyond = '9007199254740993';

const euros = { timezone: 'UTC', currency: 'EUR' };

const keywordColumns =
  'keyword_id, ad_group_id, campaign_id, keyword_text, match_type, ad_type, status, bid, updated_at';
const figureColumns =
  'day, keyword_id, ad_group_id, campaign_id, ad_type, report, impressions, clicks, cost, sales, conversions, units';

/** Rows of reports in their documented columns, two of them of types that are not keywords. */
const { spRow, sbRow, sample, display, second, productTarget, ...listed } = JSON.parse(
  fixture('ads.keywords.json'),
);
const { keyword, clauses, ofBrands } = listed;

const spTitles =
  'State,Targeting,Match Type,Bid(EUR),Campaign Name,Ad Group Name,Impressions,Clicks,Spend,7 Day Total Sales,7 Day Total Orders (#),7 Day Total Units (#),7 Day Advertised SKU Units (#)';
const spTable = [
  spTitles,
  'PAUSED,desk lamp,EXACT,0.80,Lamps,Group A,100,10,€1.10,€20.50,2,3,3',
  'ENABLED,close-match,-,0.40,Lamps auto,Group A,10,1,€0.10,€0.00,0,0,0',
].join('\n');

describe('Documents about keywords', () => {
  test('the official columns of both samples are read, a window at a time', async () => {
    const channel = new MemoryChannel(euros);
    const send = (query: string) => channel.import(JSON.stringify([sample]), query);
    refused(await send(''), /the rows lack sales14d: request the report with these columns/);
    Object.assign(sample, { sales7d: 5, sales14d: 6 });
    refused(await send(''), /needs coarse=lastDay/);
    taken(await send('&coarse=lastDay&attribution=7'), 'adsSpKeywords', 1);
    assert.deepEqual(channel.held('keyword_day', 'since, day, conversions'), [[19_178, 19_183, 1]]);
    assert.deepEqual(channel.held('keyword', 'keyword_text, match_type, bid'), [
      ['close-match', 'targetingExpressionPredefined', 0n],
    ]);
  });

  test('reports of search terms and of display targets are not read as keywords', async () => {
    const channel = new MemoryChannel(euros);
    const send = (row: object) => channel.import(JSON.stringify([row]));
    refused(await send({ ...spRow, searchTerm: 'lamp' }), /unrecognised document/);
    refused(await send(display), /unrecognised document/);
    // The second version of the API has the same names for both types.
    refused(await send(second), /adsSpKeywords.*adsSbKeywords/);
  });

  test('lists of keywords and targets take precedence over what reports imply', async () => {
    const channel = new MemoryChannel(euros);
    const send = (body: unknown, query = '') => channel.import(JSON.stringify(body), query);
    taken(await send({ keywords: [keyword] }), 'adsKeywordList', 1);
    taken(await send({ targetingClauses: clauses }), 'adsKeywordList', 3);
    taken(await send({ targets: [ofBrands] }), 'adsKeywordList', 1);
    const bare = [{ ...keyword, keywordId: '5', state: 'enabled', matchType: 'broad' }];
    assertRefused(await send(bare))`
      …does not show the type of its keywords: pass type=adsSpKeywordList or adsSbKeywordList`;
    taken(await send(bare, '&type=adsSbKeywordList'), 'adsSbKeywordList', 1);
    const negative = [{ ...bare[0], keywordId: '6', matchType: 'negativeExact' }];
    refused(await send(negative, '&type=adsSpKeywordList'), /matchType must be one of/);
    taken(await channel.import(JSON.stringify([spRow])), 'adsSpKeywords', 1);
    const found = channel.held(
      'keyword',
      'keyword_id, keyword_text, match_type, ad_type, status, bid',
    );
    assert.deepEqual(found, [
      ['1', 'close-match', 'targetingExpressionPredefined', 'SP', 'active', 400_000n],
      ['1111', 'desk lamp', 'phrase', 'SP', 'paused', 500_000n],
      ['2', 'asin="B0LAMP"', 'targetingExpression', 'SP', 'active', 400_000n],
      ['3', 'category="Table Lamps" brand="Acme"', 'targetingExpression', 'SP', 'active', 400_000n],
      ['4', 'asin="B0BULB"', 'targetingExpression', 'SB', 'active', 1_000_000n],
      ['5', 'desk lamp', 'broad', 'SB', 'active', 500_000n],
    ]);
  });

  test('a table of the console shows its type by its columns, or asks for it', async () => {
    const channel = new MemoryChannel(euros);
    const titles = 'Keyword,Match type,Campaign,Ad group,Impressions,Clicks,Spend,Sales,Orders';
    const row = 'acme lamp,Phrase,Brand,Terms,5,1,0.50,9.00,1';
    const plain = [titles, row].join('\n');
    refused(await channel.import(plain, day), /adsSpConsoleKeywords.*adsSbConsoleKeywords/);
    const brands = [`${titles},NTB orders`, `${row},1`].join('\n');
    taken(await channel.import(brands, day), 'adsSbConsoleKeywords', 1);
    taken(
      await channel.import(plain, `${day}&type=adsSpConsoleKeywords`),
      'adsSpConsoleKeywords',
      1,
    );
    assert.deepEqual(
      channel.held('keyword_day', 'ad_type, clicks, sales, orders_ntb'),
      [
        ['SB', 1, 9_000_000n, 1],
        ['SP', 1, 9_000_000n, 0],
      ].sort(),
    );
    const broken = [titles, ',Phrase,Brand,,5,1,0.50,9.00,1', row].join('\n');
    const answer = await channel.import(broken, `${day}&type=adsSpConsoleKeywords`);
    assert.deepEqual(reasons(answer), [[2, 'has no ad group']]);
  });

  test('a name that two keywords have rejects its row', async () => {
    const channel = new MemoryChannel(euros);
    await channel.importRows('campaigns', [{ campaignId: '11', name: 'Lamps' }]);
    await channel.importRows('adGroups', [{ adGroupId: '111', campaignId: '11', name: 'Group A' }]);
    const twin = { adGroupId: '111', campaignId: '11', keywordText: 'desk lamp' };
    await channel.importRows('keywords', [
      { ...twin, keywordId: '1', matchType: 'exact' },
      { ...twin, keywordId: '2', matchType: 'exact' },
    ]);
    const answer = await channel.import(spTable, `${day}&attribution=7`);
    assertReasons(answer)`
      2 "desk lamp" is the name of 2 keywords of its ad group: use a document with their ids`;
  });

  test('rows of keywords are checked, and a later one replaces an earlier one', async () => {
    const channel = new MemoryChannel(euros);
    const row = { keywordId: '1', adGroupId: '2', campaignId: '3', keywordText: 'a' };
    await channel.importRows('keywords', [row, { ...row, keywordText: 'b' }]);
    assert.deepEqual(channel.held('keyword', 'keyword_id, keyword_text, match_type'), [
      ['1', 'b', ''],
    ]);
    const rows = [{ ...row, matchType: 'near' }, { ...row, adGroupId: undefined }, row];
    const answer = await channel.post(
      'keywords',
      rows.map((one) => JSON.stringify(one)).join('\n'),
    );
    assertReasons(answer)`
      1 matchType must be one of broad, phrase, exact, theme, targetingExpression,
        targetingExpressionPredefined (it is "near")
      2 adGroupId is required`;
  });
});

onOnePair('Tables of keywords in the stores', (world) => {
  test('tables of the console need no ids; keywords take their own as soon as a document has them', async () => {
    const channel = await StoredChannel.open(world(), euros);
    const { channelId, key } = channel.tenant;
    const answer = await channel.import(spTable, `${day}&attribution=7`);
    taken(answer, 'adsSpConsoleKeywords', 2);
    const named = await channel.held(
      'keyword',
      'keyword_text, match_type, ad_type, status, bid, keyword_id',
    );
    assert.deepEqual(
      named.map((row) => row.slice(0, 5)),
      [
        ['close-match', 'targetingExpressionPredefined', 'SP', 'active', 400_000n],
        ['desk lamp', 'exact', 'SP', 'paused', 800_000n],
      ],
    );
    for (const row of named) assert.match(String(row[5]), /^0\d{24}$/);
    const rows = async () => {
      const query = `channelId=${channelId}&fromDate=${march * 86_400}&toDate=${march * 86_400}&currency=EUR`;
      const { body } = await world().ask(key, 'GET', `/advertising/keywords?${query}`);
      return body.data.map((row: Record<string, unknown>) => [
        ...[row.keyword_text, row.ad_group_name, row.campaign_name],
        ...[row.clicks, row.cost, row.attributed_sales],
      ]);
    };
    const expected = [
      ['desk lamp', 'Group A', 'Lamps', 10, 1.1, 20.5],
      ['close-match', 'Group A', 'Lamps auto', 1, 0.1, 0],
    ];
    assert.deepEqual(await rows(), expected);
    await channel.importRows('campaigns', [{ campaignId: '11', name: 'Lamps' }]);
    await channel.importRows('adGroups', [{ adGroupId: '111', campaignId: '11', name: 'Group A' }]);
    assert.deepEqual(await rows(), expected);
    await channel.importRows(
      'keywords',
      rowsOf(`keywordId, adGroupId, campaignId, keywordText, matchType, bid
        "1111", "111", "11", desk lamp, exact, "0.9"`),
    );
    assert.deepEqual(await rows(), expected);
    const ids = await channel.held('keyword_day', 'keyword_id, ad_group_id, campaign_id');
    assert.deepEqual(ids[1], ['1111', '111', '11']);
    assert.deepEqual(
      (await channel.held('keyword', 'keyword_id, bid')).filter(([id]) => id === '1111'),
      [['1111', 900_000n]],
    );
    // The same table again finds the id by its name.
    taken(await channel.import(spTable, `${day}&attribution=7`), 'adsSpConsoleKeywords', 2);
    assert.deepEqual(await rows(), expected);
    assert.deepEqual(
      await channel.held('keyword_day', 'keyword_id, ad_group_id, campaign_id'),
      ids,
    );
  });
});

onOnePair('Reports of keywords in the stores', (world) => {
  test('targeting reports are added up by keyword and date, and name keywords, ad groups and campaigns', async () => {
    const channel = await StoredChannel.open(world(), euros);
    const rows = [
      spRow,
      { ...spRow, impressions: 1, clicks: 1, cost: 0.09, sales14d: 0, purchases14d: 0 },
      { ...spRow, ...productTarget },
    ];
    const document = JSON.stringify(rows).replace(`"${beyond}"`, beyond);
    taken(await channel.import(gzipSync(document)), 'adsSpKeywords', 3);
    taken(await channel.import(JSON.stringify([sbRow])), 'adsSbKeywords', 1);
    const expected = [
      [march, '1111', '111', '11', 'SP', 'SP', 101, 11, 1_200_000n, 20_500_000n, 2, 6],
      [march, '1511', '151', '15', 'SB', 'SB', 50, 5, 2_220_000n, 30_000_000n, 1, 2],
      [march, beyond, '111', '11', 'SP', 'SP', 7, 0, 0n, 20_500_000n, 2, 3],
    ];
    assert.deepEqual(await channel.held('keyword_day', figureColumns), expected);
    assert.deepEqual(await channel.held('keyword', keywordColumns), [
      ['1111', '111', '11', 'desk lamp', 'exact', 'SP', 'active', 750_000n, 0],
      ['1511', '151', '15', 'acme lamp', 'phrase', 'SB', 'paused', 1_500_000n, 0],
      [beyond, '111', '11', 'asin="B0LAMP"', 'targetingExpression', 'SP', 'archived', 0n, 0],
    ]);
    assert.deepEqual(await channel.held('ad_group', 'ad_group_id, campaign_id, name'), [
      ['111', '11', 'Group A'],
      ['151', '15', 'Brand terms'],
    ]);
    // Targets are complete: they count for campaigns and ad groups without a report.
    assert.deepEqual(await channel.held('campaign_day', 'report, campaign_id, clicks'), [
      ['SB/targets', '15', 5],
      ['SP/targets', '11', 11],
    ]);
    // The report of one type replaces its own days alone.
    taken(await channel.import(JSON.stringify([{ ...spRow, clicks: 4 }])), 'adsSpKeywords', 1);
    assert.deepEqual(await channel.held('keyword_day', 'keyword_id, clicks'), [
      ['1111', 4],
      ['1511', 5],
    ]);
    const list = JSON.stringify({ keywords: [keyword] });
    taken(await channel.import(list), 'adsKeywordList', 1);
    assert.deepEqual((await channel.held('keyword', keywordColumns))[0]?.slice(3, 8), [
      ...['desk lamp', 'phrase', 'SP', 'paused', 500_000n],
    ]);
  });
});
