/**
 * Tables that the advertising console exports are read with its names, dates and numbers of any
 * country. The channels are in memory; adImports.test.ts has the stores.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConsoleRows } from '../../src/import/documents/advertising/consoleRows.ts';
import type { ImportSession } from '../../src/import/session.ts';
import { idsByName, list } from '../adNames.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld, fixture } from '../facts.ts';
import { assertReasons, assertRefused, reasons, refused, taken } from '../imports.ts';
import { deepTest } from '../level.ts';
import { type SerialDate, spreadsheet } from '../spreadsheet.ts';

const euros = { timezone: 'UTC', currency: 'EUR' };
const dollars = { timezone: 'UTC', currency: 'USD' };

const day = '&from=2025-03-01&to=2025-03-01';
/** 2025-01-05. */
const january = 20_093;
const beyond = '9007199254740993';

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

/** The fixture's table as cells, with its dates as a spreadsheet stores them. */
function asCells(): (string | number | SerialDate)[][] {
  const rows = fixture('ads.searchTerms.csv').replace('\ufeff', '').trim().split('\r\n');
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
describe('Tables of the advertising console', () => {
  test('the search term report is added up by ad group and campaign, looked up by name', async () => {
    const channel = new MemoryChannel(dollars);
    await list(channel);
    assertRefused(await channel.import(fixture('ads.searchTerms.csv'), '&attribution=14'))`
      the document needs attribution=7 (it has sales of 7 days after a click) (import`;
    const answer = await channel.import(fixture('ads.searchTerms.csv'));
    const { dataset, rowsRead, rowsAccepted, rowsOlder } = answer.body;
    assert.deepEqual([dataset, rowsRead, rowsAccepted, rowsOlder], ['adsSpSearchTerms', 7, 6, 0]);
    assertReasons(answer)`
      8 "Twins" is the name of 2 campaigns of Sponsored Products: use a document with their ids`;
    const ids = await idsByName(channel);
    assert.deepEqual(channel.held('ad_group_day', termColumns), termsBy(ids));
    const columns = 'day, campaign_id, impressions, clicks, cost, sales, currency';
    assert.deepEqual(channel.held('campaign_day', columns), [
      [january, '11', 1230, 16, 1_235_050_000n, 2_010_100_000n, 'USD'],
      [january + 1, ids.Nowhere, 7, 1, 250_000n, 0n, 'USD'],
      [january + 1, '11', 14, 2, 500_000n, 0n, 'USD'],
    ]);
  });
  test('the same report as a spreadsheet gives the same figures, from the first sheet with its header', async () => {
    const channel = new MemoryChannel(dollars);
    await list(channel);
    const cells = asCells();
    const document = spreadsheet([[['Notes'], ['nothing of this']], cells]);
    const answer = await channel.import(document, '&attribution=7');
    assert.deepEqual(
      reasons(answer).map(([line]) => line),
      [8],
    );
    const terms = termsBy(await idsByName(channel));
    assert.deepEqual(channel.held('ad_group_day', termColumns), terms);
    const files = document.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    for (const [from, to] of [
      [files - 900, files],
      [files, document.length - 30],
    ] as const) {
      const damaged = Buffer.from(document).fill(0, from, to);
      refused(await channel.import(damaged), /the XLSX is damaged/);
    }
    refused(await channel.import(document.subarray(0, 900)), /the XLSX is damaged/);
    refused(await channel.import(spreadsheet([[['Notes'], ['none']]])), /unrecognised document/);
    assert.deepEqual(channel.held('ad_group_day', termColumns), terms);
  });
  test('a spreadsheet that would not fit into memory is refused before it is unpacked', async () => {
    const channel = new MemoryChannel(euros);
    const document = spreadsheet([[['Notes'], ['none']]]);
    // The size of the first file, in its entry in the archive's directory.
    const entry = document.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    document.writeUInt32LE(300 * 1024 * 1024, entry + 24);
    const { status, body } = await channel.import(document);
    assert.equal(status, 413);
    assert.match(body.error, /larger than 64 MiB, or than 256 MiB when unpacked: save it as CSV/);
  });
  test('the document decides the order of day and month, or else its country', async () => {
    const channel = new MemoryChannel(dollars);
    await list(channel);
    const [header, row] = fixture('ads.searchTerms.csv').split('\r\n') as [string, string];
    const dated = (...dates: string[]) =>
      [header, ...dates.map((date) => row.replaceAll('"Jan 05, 2025"', date))].join('\n');
    const days = async (...dates: string[]) => {
      const answer = await channel.import(dated(...dates), '&attribution=7');
      const found = channel.held('ad_group_day', 'day');
      return { refusals: reasons(answer), from: answer.body.from, to: answer.body.to, found };
    };
    assert.equal((await days('05/01/2025')).from, '2025-05-01');
    const dayFirst = await days('05/01/2025', '13/01/2025');
    assert.deepEqual([dayFirst.from, dayFirst.to], ['2025-01-05', '2025-01-13']);
    const monthFirst = await days('05/01/2025', '01/13/2025');
    assert.deepEqual([monthFirst.from, monthFirst.to], ['2025-01-13', '2025-05-01']);
    const both = await days('05/01/2025', '01/13/2025', '13/01/2025');
    assert.match(both.refusals[0]![1], /has two readings: write the date with the year first/);
    const others = await days(
      '2025-02-01',
      '03.02.2025',
      '5 Feb 2025',
      '45696',
      '2025-02-07T00:00:00',
      '02/02/2025',
    );
    assert.deepEqual([others.refusals, others.from, others.to], [[], '2025-02-01', '2025-02-08']);
    assert.match((await days('soon')).refusals[0]![1], /date must be a date \(it is "soon"\)/);
    const range = dated('x')
      .replace('Start Date', 'Date range')
      .replace('x,x,', '"Jan 05, 2025 - Jan 11, 2025",,');
    const summary = await channel.import(range);
    assert.deepEqual([summary.body.rowsCoarse, summary.body.from], [1, '2025-01-05']);
  });
  test('the newer search term report brings numbers of its own, and needs no list', async () => {
    const channel = new MemoryChannel(euros);
    const titles =
      'Budget currency,Date range,Campaign ID,Campaign name,Ad group ID,Ad group name,Search term,Impressions,Clicks,Total cost,Purchases,Sales,Units sold,Units sold (promoted),Sales (new to brand),Sales (promoted),Match type';
    const row = (term: string) =>
      `EUR,"Jan 05, 2025 - Jan 05, 2025","=""${beyond}""",Lamps,191234567890123456,All,${term},10,1,0.1,1,5.5,1,1,2.25,0,`;
    const answer = await channel.import([titles, row('a'), row('b'), row('c')].join('\n'));
    taken(answer, 'adsSpSearchTerms', 3);
    // Sponsored Products count nothing for customers new to the brand.
    await assertHeld(channel, 'ad_group_day')`
      ad_group_id,          campaign_id, cost, sales, sales_ntb
      "191234567890123456", "${beyond}", 0.3,  16.5,  0`;
    assert.deepEqual(channel.held('campaign_day', 'campaign_id, cost, ad_type'), [
      [beyond, 300_000n, 'SP'],
    ]);
    assert.deepEqual(channel.held('campaign', 'campaign_id, name, updated_at'), [
      [beyond, 'Lamps', 0],
    ]);
    assert.deepEqual(channel.held('ad_group', 'ad_group_id, campaign_id, name'), [
      ['191234567890123456', beyond, 'All'],
    ]);
  });

  test('numbers are read in the console’s format of many countries, and refused if ambiguous', async () => {
    const channel = new MemoryChannel(euros);
    const titles =
      'Currency,Date,Campaign ID,Campaign name,Ad group ID,Ad group name,Search term,Units sold (promoted),Clicks,Spend,Impressions,Orders,Sales,Units,Sales (promoted),Match type';
    const read = [
      ['€1,234.56', '1,234', 1_234_560_000n, 1234],
      ['1.234,56 €', '1.234', 1_234_560_000n, 1234],
      ['-€5.00', '0', -5_000_000n, 0],
      ['(5)', '0', -5_000_000n, 0],
      ['EUR 3.50', '7', 3_500_000n, 7],
      ['1\u00a0234,5 €', '1 234', 1_234_500_000n, 1234],
      ['€0,05', '1.0', 50_000n, 1],
      ['1,234,567.89', '-', 1_234_567_890_000n, 0],
      ["EUR 1'000.10", '3', 1_000_100_000n, 3],
      ['0.125', '', 125_000n, 0],
      ['16.219999999999999', '2', 16_220_000n, 2],
    ] as const;
    const unreadable = ['12abc', '1,23,4', '5%'];
    const row = (cost: string, clicks: string, id: number) =>
      `EUR,2025-01-05,1,Lamps,${id},G,t,0,"${clicks}","${cost}",0,0,0,0,0,`;
    const rows = [
      ...read.map(([cost, clicks], at) => row(cost, clicks, 101 + at)),
      ...unreadable.map((cost, at) => row(cost, '1', 201 + at)),
    ];
    const answer = await channel.import([titles, ...rows].join('\n'));
    assert.deepEqual(
      reasons(answer),
      unreadable.map((cost, at) => [
        read.length + at + 2,
        `cost must be a number (it is ${JSON.stringify(cost)})`,
      ]),
    );
    assertRefused(await channel.import([titles, ...rows, row('1.234 €', '1', 301)].join('\n')))`
      the document leaves two readings: its amounts, such as 1.234 €, are 1.234 with decimal=point`;
    assert.deepEqual(
      channel.held('ad_group_day', 'ad_group_id, cost, clicks'),
      read.map(([, , cost, clicks], at) => [String(101 + at), cost, clicks]),
    );
  });
  deepTest('a table of the console that is too long is refused with its bound', () => {
    const record = { 'Campaign name': '', 'Search term': '', Clicks: '', Spend: '' };
    // Titles without a window of attribution need nothing from their session.
    const rows = new ConsoleRows({} as ImportSession, () => undefined);
    for (let line = 2; line <= 500_001; line++) rows.record(record, line);
    assert.throws(
      () => rows.record(record, 500_002),
      /more than 500,000 rows: split it by its dates/,
    );
  });

  test('the console’s campaigns post on the day given, with its amounts', async () => {
    const channel = new MemoryChannel(euros);
    await list(channel);
    assertRefused(await channel.import(fixture('ads.consoleCampaigns.csv')))`
      the document needs from=YYYY-MM-DD&to=YYYY-MM-DD`;
    taken(await channel.import(fixture('ads.sdCampaigns.json')), 'adsSdCampaigns', 1);
    taken(await channel.import(fixture('ads.consoleCampaigns.csv'), day), 'adsConsoleCampaigns', 2);
    await assertHeld(channel, 'campaign_day')`
      day, campaign_id, ad_type, impressions, clicks, cost, sales, conversions, units, currency
      2025-03-01, "11", SP, 1234, 20, 1234.56, 5000.1, 4, 0, EUR
      2025-03-01, "15", SB, 500, 5, 2.5, 0, 0, 0, EUR
      2025-03-01, "601", SD, 2000, 8, 3.21, 12, 1, 2, EUR`;
    // Other amounts show the decimal mark.
    const whole = fixture('ads.consoleCampaigns.csv').replace('1.234,56 €', '1.234 €');
    taken(await channel.import(whole, day), 'adsConsoleCampaigns', 2);
    assert.deepEqual(channel.held('campaign_day', 'campaign_id, cost')[0], ['11', 1_234_000_000n]);
  });
});
