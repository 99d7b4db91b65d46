/**
 * An amount is booked on a line of the profit and loss by the shipped list, or first by the
 * operator's own codes; the closest entry counts. Imports use the codes of their time.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../test/facts.ts';
import { onEachPair, testOnOnePair, type World } from '../../../test/harness.ts';
import { held, importDocument } from '../../../test/imports.ts';
import { commission, principal, row, settlementOf } from '../../../test/settlements.ts';
import { listsOf, tablesBeside } from '../../../test/table.ts';
import type { FinanceSource } from '../../contract/importable.ts';
import { bookingsOf, rememberedByNames } from './codes.ts';

const tables = tablesBeside(import.meta.url, 'codes.tables.txt');

const path = '/operator/financeCodes';
type Names = readonly [source: string, type: string, component: string, code: string];

/** The line on which an amount with these names is booked. */
async function lineOf(world: World, [source, type, component, code]: Names) {
  const query = new URLSearchParams({ source, type, component, code });
  return (await world.operate('GET', `${path}/booking?${query}`)).line;
}

async function save(world: World, [source, type, component, code]: Names, line: string) {
  await world.operate('PUT', path, { source, type, component, code, line });
}

test('a name of any length is looked up in time in proportion to it', () => {
  // Each of its words can be matched from both ends: there are 2^30 ways.
  const names = { type: '*', component: '*', code: '*a*b*c*d*' };
  const find = bookingsOf('settlement', [
    { source: 'settlement', ...names, line: 'otherExpenses' },
  ]);
  for (const name of ['refund'.repeat(30), 'a b c '.repeat(100_000), `x:${' '.repeat(300_000)}:`]) {
    const begun = process.cpuUsage();
    find(name, name, name);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 2_000_000, `${name.slice(0, 20)}: ${user + system} µs of processor`);
  }
});

test('names that contain one another, or line breaks, stay apart when they are remembered', () => {
  const shown = rememberedByNames((type, component, code) => `${type}|${component}|${code}`);
  const all: readonly [string, string, string][] = [
    ['a\nb', 'c', 'd'],
    ['a', 'b\nc', 'd'],
    ['ab', 'c', ''],
    ['a', 'bc', ''],
    ['', '', 'abc'],
  ];
  for (const names of [...all, ...all]) assert.equal(shown(...names), names.join('|'));
});

test('every name that the shipped list spells out is booked on the line of its row, in whatever letter case', () => {
  const [, ...rows] = readFileSync(new URL('codes.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  // A wildcard is filled with a name that no pattern spells out.
  const spelled = (pattern: string) =>
    pattern.split('|').map((one) => one.replace('*', 'Something Else'));
  let count = 0;
  for (const one of rows) {
    const [source, type, component, code, line] = one.split('\t') as [FinanceSource, ...string[]];
    const all = [type!, component!, code!].map(spelled);
    const bookingOf = bookingsOf(source, []);
    // Each name of each pattern once, the shorter lists combined with several of the others.
    for (let at = 0; at < Math.max(...all.map((names) => names.length)); at++) {
      const [first, second, last] = all.map((names) => names[at % names.length]!);
      const cased = count++ % 2 === 0 ? last!.toUpperCase() : last!.toLowerCase();
      const found = bookingOf(first!, second!, cased);
      assert.equal(found, line, [source, first, second, cased].join(', '));
    }
  }
  assert.ok(rows.length > 50 && count > rows.length);
});

test('the same amount of a sale and of what takes it back stands on different lines', () => {
  const expected = listsOf(fixture('finance.codes.csv')) as [FinanceSource, ...string[]][];
  assert.equal(expected.length, 47);
  for (const [source, type, component, code, line] of expected)
    assert.equal(bookingsOf(source, [])(type!, component!, code!), line, `${type}, ${code}`);
});

test('a name is booked alike in every source, wherever a document writes it', () => {
  const places: readonly [FinanceSource, (name: string) => [string, string, string]][] = [
    ['settlement', (name) => ['other-transaction', 'other-transaction', name]],
    ['settlement', (name) => ['AmazonFees', name, 'Base fee']],
    ['settlement', (name) => [name, 'other-transaction', 'other-transaction']],
    ['transactions', (name) => ['ServiceFee', 'AmazonFees', name]],
    ['transactions', (name) => ['Adjustment', name, '']],
    ['financialEvents', (name) => ['ServiceFee', 'FeeList', name]],
    ['financialEvents', (name) => ['Adjustment', 'AdjustmentAmount', name]],
    ['economics', (name) => ['economics', 'fees', name]],
  ];
  const bookings = places.map(([source, namesOf]) => [bookingsOf(source, []), namesOf] as const);
  for (const row of fixture('finance.names.tsv').trimEnd().split('\n')) {
    const [line, ...names] = row.split('\t');
    for (const name of names)
      for (const [bookingOf, namesOf] of bookings)
        assert.equal(bookingOf(...namesOf(name)), line, namesOf(name).join());
  }
});

onEachPair('financial codes of the operator', (world, pair) => {
  const asks = testOnOnePair(pair);

  asks('a code holds for its source only', async () => {
    assert.equal(await lineOf(world(), ['transactions', 'Order', 'ItemPrice', 'Principal']), null);
    assert.equal(await lineOf(world(), ['settlement', 'Order', 'ItemPrice', 'Principal']), 'sales');
    await save(world(), ['transactions', 'of-source', '*', 'Principal'], 'sales');
    assert.equal(await lineOf(world(), ['transactions', 'of-source', '', 'Principal']), 'sales');
    assert.equal(await lineOf(world(), ['settlement', 'of-source', '', 'Principal']), null);
  });

  asks(
    'the closest type counts, then the closest code, then the closest component, then the first by name',
    async () => {
      const own = listsOf(tables.own!) as [string, string, string, string][];
      for (const [type, component, code, line] of own)
        await save(world(), ['economics', type, component, code], line);
      for (const [type, component, code, line] of listsOf(tables.closest!)) {
        const names: Names = ['economics', type, component, code];
        assert.equal(await lineOf(world(), names), line, names.join(', '));
      }
    },
  );

  asks('an own code goes before a shipped one that fits more closely', async () => {
    const names: Names = ['financialEvents', 'Refund', 'ItemFeeList', 'Commission'];
    assert.equal(await lineOf(world(), names), 'refundsAndReturnsOverheads');
    await save(world(), ['financialEvents', '*', '*', 'comm*'], 'otherIncome');
    assert.equal(await lineOf(world(), names), 'otherIncome');
    assert.equal(
      await lineOf(world(), ['financialEvents', 'Refund', 'ItemFeeList', 'RefundCommission']),
      'refundsAndReturnsOverheads',
    );
  });

  test('own codes book what is imported after they were saved, and a document that is imported again is booked anew', async () => {
    const tenant = await world().tenant();
    const document = settlementOf(
      '5.50',
      principal('10.00'),
      commission('-3.00'),
      row('Order|ItemFees|Novel Fee', '-1.50'),
    );
    const imported = async () => {
      const { status, body } = await importDocument(world(), tenant.channelId, document);
      assert.equal(status, 200, JSON.stringify(body));
      const { sums, unknownCodes } = body.finance;
      const stored = await held(world(), tenant, 'finance_event', 'line, amount');
      return { lines: sums[0].lines, unknownCodes, stored };
    };
    assert.deepEqual(await imported(), {
      lines: { sales: '10.000000', sellingFees: '-3.000000', otherExpenses: '-1.500000' },
      unknownCodes: [
        { code: 'Order/ItemFees/Novel Fee', currency: 'USD', rows: 1, amount: '-1.500000' },
      ],
      stored: [
        ['otherExpenses', -1_500_000n],
        ['sales', 10_000_000n],
        ['sellingFees', -3_000_000n],
      ],
    });
    await save(world(), ['settlement', '*', 'itemFEES', 'novel*'], 'shippingFees');
    await save(world(), ['settlement', 'order', '*', 'commission'], 'cogs');
    assert.deepEqual(await imported(), {
      lines: { sales: '10.000000', shippingFees: '-1.500000', cogs: '-3.000000' },
      unknownCodes: [],
      stored: [
        ['cogs', -3_000_000n],
        ['sales', 10_000_000n],
        ['shippingFees', -1_500_000n],
      ],
    });
  });
});
