/**
 * Tables of targets are read as planners write them, with months in rows or in columns, and what
 * could be read in two ways is refused.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MemoryChannel } from '../documents.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, reasons, taken } from '../imports.ts';
import { type SerialDate, spreadsheet } from '../spreadsheet.ts';
import { StoredChannel, vendorSettings } from '../storedChannel.ts';

const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const january = dayOf('2026-01-01');
const february = dayOf('2026-02-01');
const march = dayOf('2026-03-01');
const monthColumns =
  'day, sales_budget, sales_budget_set, sales_forecast, sales_forecast_set, ad_spend_budget, ad_spend_budget_set';

describe('Tables of targets', () => {
  test('months in rows are read as planners write them, and blank cells set nothing', async () => {
    const channel = new MemoryChannel(vendorSettings);
    const ask = (document: string | Buffer) => channel.import(document);
    const table = [
      'Month,Sales budget,SALES_FORECAST,Advertising budget (USD),Note',
      '2026-01,"$12,000.50",,900,x',
      'Feb 2026,"1.500,25",7,-,',
      ',,,,',
      'Mar-26,0,,,',
    ];
    const answer = await ask(table.join('\n'));
    // The row without anything in it is passed over.
    assert.deepEqual([answer.body.rowsAccepted, reasons(answer)], [3, []]);
    assert.deepEqual(channel.held('target_month', monthColumns), [
      [january, 12_000_500_000n, 1, 0n, 0, 900_000_000n, 1],
      [february, 1_500_250_000n, 1, 7_000_000n, 1, 0n, 0],
      [march, 0n, 1, 0n, 0, 0n, 0],
    ]);
    for (const [text, month] of [
      ['January 2026', january],
      ['01/2026', january],
      ['2026-02-01', february],
      ['2/1/2026', february],
      ['01.02.2026', february],
      ['28/02/2026', february],
      ['46082', march],
    ] as const) {
      const one = new MemoryChannel(vendorSettings);
      taken(await one.import(`date;salesForecast\n${text};5\n`), 'targetsTable', 1);
      const found = one.held('target_month', 'day, sales_forecast');
      assert.deepEqual(found, [[month, 5_000_000n]], text);
    }
  });

  test('unreadable rows are rejected with line and reason, as is a currency other than the channel’s', async () => {
    const channel = new MemoryChannel(vendorSettings);
    const ask = (document: string) => channel.import(document);
    const rows = [
      ...['Q1,1', '2026-01-15,1', ',1', '2026-01,lots', '2026-02,no', '2026-03,5 €'],
      ...['2026-04,CAD 7', '2026-05,1', '2026-05,2', '2026-06,CA$7', '2026-07,¥7'],
    ];
    assertReasons(await ask(['Month,Sales budget', ...rows].join('\n')))`
      2 must have a month such as 2026-01 or Jan 2026, or its first date (it is "Q1")
      3 must have a month such as 2026-01 or Jan 2026, or its first date (it is "2026-01-15")
      4 has no month
      5 Sales budget must be an amount (it is "lots")
      6 Sales budget must be an amount (it is "no")
      7 Sales budget is in EUR, but targets are in the channel's currency, USD
      8 Sales budget is in CAD, but targets are in the channel's currency, USD
      11 Sales budget is in CAD, but targets are in the channel's currency, USD
      12 Sales budget is in JPY or CNY, but targets are in the channel's currency, USD
      10 repeats the key of line 9`;
    taken(
      await new MemoryChannel(vendorSettings).import('Month,Sales budget (all)\n2026-01,$1'),
      'targetsTable',
      1,
    );
    assertRefused(await ask('Month,Sales budget\n2026-02,12.000'))`
      the document leaves two readings: its amounts, such as 12.000, are 12.000 with decimal=point`;
    const turned = [
      'Target,Jan 2026,Feb 2026',
      'Sales budget,1,x',
      'Growth,1,2',
      'sales_budget,3,4',
      'Sales forecast,5,6',
    ].join('\n');
    assertReasons(await ask(turned))`
      2 Feb 2026 must be an amount (it is "x")
      3 must name one of the targets Sales budget, Sales forecast, Ad spend budget (it is
        "Growth")
      4 repeats the target of line 2`;
    assert.deepEqual(channel.held('target_month', 'day, sales_budget, sales_forecast'), [
      [january, 1_000_000n, 5_000_000n],
      [dayOf('2026-05-01'), 1_000_000n, 0n],
    ]);
    assertRefused(await ask('Month,Sales budget (EUR)\n2026-01,1'))`
      …Sales budget (EUR) is in EUR, but targets are in the channel's currency, USD`;
    assertRefused(await ask('Month,Ad budget,Advertising budget\n2026-01,1,2'))`
      …has two columns of adSpendBudget: Ad budget and Advertising budget`;
    assertRefused(await channel.import('a,b\n1,2', '&type=targetsTable'))`
      …neither a column Month with columns of targets`;
  });

  test('months in columns are read too, from text and from a spreadsheet, and take the place of the months between', async () => {
    const channel = new MemoryChannel(vendorSettings);
    await channel.importRows('targets', [
      { month: '2026-02', salesBudget: 1 },
      { month: '2026-05', salesBudget: 2 },
      { date: '2026-02-14', salesBudget: 3 },
    ]);
    const turned = [
      ',Jan 2026,Feb 2026,Total,',
      'Sales budget,"12,000.50",800,"12,800.50",',
      'Ad spend budget,900,,,',
    ].join('\n');
    taken(await channel.import(turned), 'targetsTable', 2);
    const expected = [
      [january, 12_000_500_000n, 1, 0n, 0, 900_000_000n, 1],
      [february, 800_000_000n, 1, 0n, 0, 0n, 0],
      [dayOf('2026-05-01'), 2_000_000n, 1, 0n, 0, 0n, 0],
    ];
    assert.deepEqual(channel.held('target_month', monthColumns), expected);
    assert.deepEqual(channel.held('target_day', 'day, sales_budget'), [
      [dayOf('2026-02-14'), 3_000_000n],
    ]);
    const serial = (date: string): SerialDate => ({ serial: dayOf(date) + 25_569 });
    const columns = [
      ['Target', serial('2026-01-01'), serial('2026-02-01')],
      ['Sales budget', 12_000.5, 800],
      ['Ad spend budget', 900, ''],
    ];
    const rows = [
      ['Month', 'Sales budget', 'Ad spend budget'],
      [serial('2026-01-31'), 12_000.5, 900],
      [serial('2026-02-28'), 800, ''],
    ];
    for (const sheets of [[[['About this plan']], columns], [rows]]) {
      taken(await channel.import(spreadsheet(sheets)), 'targetsTable', 2);
      assert.deepEqual(channel.held('target_month', monthColumns), expected);
    }
  });
});

onOnePair('Tables of targets in the stores', (world) => {
  test('a table becomes targets, beside targets of single dates', async () => {
    const channel = await StoredChannel.open(world(), vendorSettings);
    await channel.importRows('targets', [{ date: '2026-02-14', salesBudget: 3 }]);
    const table = 'Month,Sales budget\n2026-01,"12,000.50"\n2026-02,800\n';
    taken(await channel.import(table), 'targetsTable', 2);
    assert.deepEqual(await channel.held('target_month', 'day, sales_budget'), [
      [january, 12_000_500_000n],
      [february, 800_000_000n],
    ]);
    assert.equal((await channel.held('target_day', 'day')).length, 1);
  });
});
