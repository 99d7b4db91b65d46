/**
 * How settlements are read: quotes, encodings, dates and decimal marks, and that a document that
 * does not come to its own total is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryChannel } from '../documents.ts';
import { fixture } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertRefused, held, importDocument, refused, taken } from '../imports.ts';
import {
  type Cells,
  commission,
  opening,
  principal,
  quotedTableOf,
  settlementOf,
  tableOf,
  v2,
} from '../settlements.ts';
import { barsOf } from '../table.ts';

const events = (channel: MemoryChannel, columns: string) => channel.held('finance_event', columns);

test('a quote between tabs is a character; between commas it encloses', async () => {
  const sku = '"24" TV';
  const rows = [
    opening('85.00'),
    principal('100.00', { sku, 'promotion-id': 'a "deal' }),
    commission('-15.00', { sku }),
  ];
  const withCommas = rows.map((cells) =>
    Object.fromEntries(
      Object.entries(cells).map(([name, text]) => [name, text.replace('.00', ',00')]),
    ),
  );
  for (const document of [
    tableOf(v2, rows),
    quotedTableOf(v2, withCommas, ','),
    quotedTableOf(v2, withCommas, ';'),
  ]) {
    const channel = new MemoryChannel();
    taken(await channel.import(document), 'settlement', 3);
    assert.deepEqual(events(channel, 'sku, amount'), [
      [sku, -15_000_000n],
      [sku, 100_000_000n],
    ]);
  }
});

test('other encodings are read, named or not', async () => {
  const channel = new MemoryChannel();
  const document = (sku: string) => settlementOf('1.00', principal('1.00', { sku }));
  const japanese = Buffer.from(document('@@').replaceAll('\n', '\r\n'));
  const place = japanese.indexOf('@@');
  // 靴 in Shift_JIS.
  const shoe = Buffer.of(0x8c, 0x43);
  const shiftJis = [japanese.subarray(0, place), shoe, japanese.subarray(place + 2)];
  for (const [body, charset, sku] of [
    [Buffer.from(document('Größe-1'), 'latin1'), undefined, 'Größe-1'],
    [Buffer.concat(shiftJis), 'shift_jis', '靴'],
    [Buffer.from(`\ufeff${document('Größe-2')}`), undefined, 'Größe-2'],
  ] as const) {
    taken(await channel.import(body, '', charset), 'settlement', 2);
    assert.deepEqual(events(channel, 'sku'), [[sku]]);
  }
});

test('a document that does not come to its total is refused with both figures', async () => {
  const channel = new MemoryChannel();
  const whole = fixture('settlement.v2.txt');
  const lines = whole.split('\n');
  const of = (first: Cells) => tableOf(v2, [opening('1.00', first), principal('1.00')]);
  const [, faults = ''] = fixture('settlement.faults.txt').split('\n\n');
  for (const [cell = '', by = '', reason = ''] of barsOf(faults)) {
    const [found, other] = JSON.parse(`["${cell}", "${by}"]`);
    const at = whole.search(new RegExp(`(?<=\t)${found}(?=\t)`));
    assert.ok(at > 0, found);
    const changed = whole.slice(0, at) + other + whole.slice(at + found.length);
    refused(await channel.import(changed), new RegExp(reason));
  }
  const cases: [document: string | Buffer, reason: RegExp, query?: string][] = [
    // Without its last two rows: -420 and 820.44; and in the middle of the last row.
    [
      `${lines.slice(0, 23).join('\n')}\n`,
      /add up to 182\.45 USD, its total-amount is 582\.89 USD, a difference of 400\.44 USD/,
    ],
    [whole.slice(0, -60), /of -420\.00 USD; 1 row was rejected: line 25 has no posted-date/],
    // Refused rows of nothing leave the sum as it is, but the document is not whole all the same.
    [
      settlementOf('1.00', principal('1.00'), principal('0.00', { 'posted-date-time': '' })),
      /line 4 has no posted-date/,
    ],
    [
      `${lines.slice(0, 2).join('\n')}\n`,
      /settlement 90210447718 add up to 0\.00 USD, its total-amount is 582\.89 USD/,
    ],
    [`${lines[0]}\n`, /the document has no settlement: it is cut off/],
    ['', /the document is empty/],
    [`${whole}${lines[1]}\n`, /line 26 begins settlement 90210447718 again/],
    [
      settlementOf('1.00', principal('1.00', { 'settlement-id': '502' })),
      /settlement 501 add up to 0/,
    ],
    [whole, /a settlement has its own dates: omit from and to/, '&from=2025-03-03&to=2025-03-17'],
    [gzipSync(whole).subarray(0, 700), /the gzip data ends too early/],
    [whole.replaceAll('posted-date\t', 'posted\t'), /the header lacks posted-date/],
    [of({ 'settlement-end-date': '2025-03-01' }), /settlement-end-date lies before/],
    [
      of({ 'settlement-end-date': 'soon' }),
      /end-date of the first row must be a date \(it is "soon"/,
    ],
    [of({ currency: '' }), /currency of the first row must be/],
    [of({ 'total-amount': 'a lot' }), /total-amount must be an amount \(it is "a lot"\)/],
  ];
  for (const [document, reason, query] of cases)
    refused(await channel.import(document, query), reason);
  assert.deepEqual(events(channel, 'line'), []);
});

test('a document as the marketplace, an editor or a script wrote it is read', async () => {
  const cells = commission('-15.00');
  const rows = [principal('100.00', { sku: 'A', 'quantity-purchased': '1' }), cells];
  const two = { 'settlement-id': '502', 'total-amount': '50.00' };
  const later = { 'settlement-id': '502', 'posted-date-time': '2025-03-29 10:00:00 UTC' };
  const of502 = { 'settlement-start-date': '2025-03-24', 'settlement-end-date': '2025-04-07' };
  const other = { 'settlement-id': '503', currency: 'CAD' };
  const french = { 'marketplace-name': 'Amazon.ca', 'order-id': '7' };
  const us = { 'marketplace-name': 'Amazon.com' };
  const whole = settlementOf('85.00', ...rows);
  const table = (...all: Cells[]) => tableOf(v2, all);
  const glued = table(
    opening('85.00'),
    ...rows,
    opening('', { ...two, ...of502 }),
    principal('50.00', later),
  );
  const ofOthers = settlementOf('92.00', principal('7.00', french), ...rows, principal('0', us));
  const both = [[-15_000_000n], [50_000_000n], [100_000_000n]];
  const one = [[-15_000_000n], [100_000_000n]];
  const cases: [name: string, document: string, amounts: bigint[][], claims: number][] = [
    ['without cells at the end', whole.replaceAll(/\t+$/gm, ''), one, 1],
    ['padded', whole.replaceAll('\t', '  \t  '), one, 1],
    ['without its first row', table(...rows), one, 1],
    ['sorted by date', table(...rows, opening('85.00')), one, 1],
    ['debits in brackets', whole.replace('-15.00', '(15.00)'), one, 1],
    ['amounts with signs', whole.replaceAll(/(?=\b\d+\.00)/g, '$'), one, 1],
    ['titles with spaces', whole.replace(/^.*/, (line) => line.replaceAll('-', ' ')), one, 1],
    ['rows without cells', whole.replaceAll('\n', `\n${'\t'.repeat(23)}\n`), one, 1],
    ['empty cells too many', whole.replaceAll('\n', '\t\n').replace('\t\n', '\n'), one, 1],
    ['with the header again', glued.replace(/(?=502)/, `${v2.join('\t')}\n`), both, 2],
    ['nothing in a fortnight', table(opening('0.00')), [], 1],
    ['several settlements', glued, both, 2],
    ['one of another currency', table(opening('85.00'), ...rows, opening('9', other)), one, 1],
    ['rows of another marketplace', ofOthers, one.toSpliced(1, 0, [0n]), 1],
  ];
  for (const [name, document, amounts, claims] of cases) {
    const channel = new MemoryChannel();
    const answer = await channel.import(document);
    assert.equal(answer.status, 200, `${name}: ${answer.body.error}`);
    assert.deepEqual(events(channel, 'amount'), amounts, name);
    const ranges = new Set(channel.held('finance_claim', 'unit').flat());
    assert.equal(ranges.size, claims, name);
    assert.equal(answer.body.otherStores, /another/.test(name) ? 1 : 0, name);
  }
  const again = new MemoryChannel();
  await again.import(whole);
  refused(
    await again.import(whole.replaceAll('501', '777')),
    /settlement 777 has the dates and rows of settlement 501, which has been imported/,
  );
  refused(
    await again.import(whole + whole.replaceAll('501', '777')),
    /settlement 777 has the dates and rows of settlement 501 of the document: remove one/,
  );
  refused(await again.import(whole.replaceAll('501', '2.1E+10')), /shortened by a spreadsheet/);
  // Between two settlements, other documents still count.
  const channel = new MemoryChannel();
  const more = { sku: 'A', reason: 'Lost', 'currency-unit': 'USD', 'amount-total': '4.00' };
  const dates = ['2025-03-10', '2025-03-20', '2025-04-01'].map((date) => ({
    'approval-date': `${date}T10:00:00Z`,
    'reimbursement-id': date,
    ...more,
  }));
  taken(await channel.import(tableOf(Object.keys(dates[0]!), dates)), 'reimbursements', 3);
  taken(await channel.import(glued), 'settlement', 5);
  assert.deepEqual(events(channel, 'amount'), [both[0], [4_000_000n], ...both.slice(1)]);
});

onOnePair('Refused settlements in a store', (world) => {
  test('nothing of a refused settlement stays, and all of its rejected rows are listed', async () => {
    const tenant = await world().tenant();
    const bad = Array.from({ length: 7 }, () => principal('x'));
    const answer = await importDocument(world(), tenant.channelId, settlementOf('1.00', ...bad));
    refused(answer, /; 7 rows were rejected: line 3 .*; line 7 [^;]*; … \(import \d+\)$/);
    assert.deepEqual(await held(world(), tenant, 'finance_event', 'line'), []);
    const importId = /import (\d+)/.exec(answer.body.error)![1];
    const { rejected } = await world().operate('GET', `/operator/imports/${importId}/rejected`);
    assert.equal(rejected.length, 7);
    const of = `channelId=${tenant.channelId}&pageSize=1`;
    const [failed] = (await world().operate('GET', `/operator/imports?${of}`)).imports;
    assert.equal(failed.state, 'failed');
  });
});

/** A settlement of these dates, with a sale of 1.00 on each of the others. */
function dated(start: string, end: string, ...dates: readonly string[]): string {
  const named = (date: string): Cells =>
    date.includes(':')
      ? { 'posted-date-time': date }
      : { 'posted-date': date, 'posted-date-time': '' };
  const range = { 'settlement-start-date': start, 'settlement-end-date': end };
  return tableOf(v2, [
    opening(`${dates.length}.00`, range),
    ...dates.map((date) => principal('1.00', named(date))),
  ]);
}

async function postedAt(document: string): Promise<string[]> {
  const channel = new MemoryChannel();
  const answer = await channel.import(document);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return events(channel, 'posted_at').map(([instant]) =>
    new Date(Number(instant) * 1000).toISOString().slice(0, 16),
  );
}

test('the settlement’s own dates and rows decide the order of day and month', async () => {
  const [, cases = ''] = fixture('settlement.dates.txt').split('\n\n');
  for (const [start = '', end = '', dates = '', posted] of barsOf(cases))
    assert.equal(
      (await postedAt(dated(start, end, ...dates.split(', ')))).join(', '),
      posted,
      start,
    );
  // January 2nd to February 3rd, or February 1st to March 2nd: both in Canada.
  const canada = new MemoryChannel({ merchantId: 'A1 @ A2EUQ1WTGCTBG2' });
  assertRefused(await canada.import(dated('01/02/2025', '02/03/2025', '01/02/2025', '02/03/2025')))`
    …its dates…are the first with dates=monthFirst and the second with dates=dayFirst`;
  assertRefused(await new MemoryChannel().import(dated('13/13/2025', '14/14/2025', '13/13/2025')))`
    …settlement-start-date of the first row must be a date`;
  // Enough rows that many are read before the last one reveals the order.
  const many = Array.from({ length: 5000 }, () => '01/03/2025');
  assert.deepEqual(
    (await postedAt(dated('01/02/2025', '01/03/2025', ...many, '02/03/2025'))).slice(4998),
    ['2025-03-01T20:00', '2025-03-01T20:00', '2025-03-02T20:00'],
  );
});

test('amounts are read with the decimal mark of the document', async () => {
  for (const [currency, total, amounts, sales] of [
    ['EUR', '1.582,89', ['1.600,00', '-17,11'], 1582.89],
    ['JPY', '1,234', ['1,500', '-266'], 1234],
    ['KWD', '1.234', ['1.500', '-0.266'], 1.234],
  ] as const) {
    const rows = amounts.map((amount) => principal(amount));
    const document = tableOf(v2, [opening(total, { currency }), ...rows]);
    const answer = await new MemoryChannel({ currency }).import(document);
    assert.equal(answer.status, 200, answer.body.error);
    assert.equal(Number(answer.body.finance.sums[0].lines.sales), sales, currency);
  }
  // Amounts with clear marks of both kinds are read one by one, as the total proves.
  const mixed = settlementOf('$90,25', principal('95,00'), commission('($4.75)'));
  taken(await new MemoryChannel().import(mixed), 'settlement', 3);
  assertRefused(await new MemoryChannel().import(mixed.replace('($4.75)', '£-4.75')))`
    …line 4 has "£-4.75", but the settlement is in USD`;
});
