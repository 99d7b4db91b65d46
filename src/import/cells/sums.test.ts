/** Sums of rows are exact, whatever the rows are, and take little memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { deepTest, slowTest, testDepth } from '../../../test/level.ts';
import type { Cells } from '../datasets/dataset.ts';
import { DocumentRefused } from '../refused.ts';
import type { RowReader } from '../rows.ts';
import { FigureColumn } from './figureColumn.ts';
import { PackedTexts } from './packedTexts.ts';
import { RowSums } from './sums.ts';

const shape = { key: ['date', 'sku'], figures: ['clicks', 'units', 'cost'] };

/** A reader that accepts rows as they are, and notes what becomes of them. */
function noting() {
  const staged: { cells: Cells; line: number }[] = [];
  const rejected: [line: number, reason: string][] = [];
  const names = ['date', 'sku', 'currency', ...shape.figures];
  const reader = {
    rowsAccepted: 0,
    indexOf: (name: string) => names.indexOf(name),
    read: (values: readonly unknown[], _line: number, _problem: undefined, since?: number) => ({
      ...Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])),
      ...(since !== undefined && { since }),
    }),
    reject: (line: number, reason: string) => rejected.push([line, reason]),
    accept() {
      this.rowsAccepted++;
    },
    skip(rows: number) {
      this.rowsAccepted -= rows;
    },
    stage: (cells: Cells, line: number) => staged.push({ cells, line }),
  };
  return { reader, staged, rejected, sums: new RowSums(reader as unknown as RowReader, shape) };
}

const millionths = fastCheck.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const textOf = (amount: bigint) => {
  const size = amount < 0n ? -amount : amount;
  const digits = size.toString().padStart(7, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

slowTest('sums are exact, whatever their rows are like', async () => {
  const row = fastCheck.record({
    date: fastCheck.constantFrom('2025-01-01', '2025-01-02'),
    sku: fastCheck.constantFrom('A', 'ā', '\u{1f600}', 'x"y', ''),
    clicks: fastCheck.option(fastCheck.nat(1e9)),
    units: fastCheck.nat(1e9),
    cost: fastCheck.option(millionths),
  });
  await fastCheck.assert(
    fastCheck.asyncProperty(fastCheck.array(row, { maxLength: 60 }), async (rows) => {
      const { sums, staged, reader } = noting();
      const expected = new Map<string, { first: number; rows: (typeof rows)[number][] }>();
      for (const [line, one] of rows.entries()) {
        const cost = one.cost === null ? null : textOf(one.cost);
        assert.ok(sums.add({ ...one, currency: 'EUR', cost }, line));
        const key = JSON.stringify([one.date, one.sku]);
        const known = expected.get(key) ?? { first: line, rows: [] };
        expected.set(key, { ...known, rows: [...known.rows, one] });
      }
      await sums.stage(async () => undefined);
      assert.equal(reader.rowsAccepted, rows.length);
      assert.deepEqual(
        staged.map(({ cells, line }) => ({ ...cells, line })),
        [...expected.values()].map(({ first, rows }) => {
          const clicks = rows.flatMap((one) => one.clicks ?? []);
          const costs = rows.flatMap((one) => one.cost ?? []);
          return {
            date: rows[0]!.date,
            sku: rows[0]!.sku,
            currency: 'EUR',
            clicks: clicks.length > 0 ? clicks.reduce((sum, one) => sum + one) : null,
            units: rows.reduce((sum, one) => sum + one.units, 0),
            cost: costs.length > 0 ? textOf(costs.reduce((sum, one) => sum + one)) : null,
            line: first,
          };
        }),
      );
    }),
    { numRuns: Math.ceil(100 * testDepth) },
  );
});

test('a row that cannot be added is refused, and its sum stays as it was', async () => {
  const { sums, staged, rejected, reader } = noting();
  const row = { date: '2025-01-01', sku: 'A', currency: 'EUR', clicks: 1, units: 1, cost: '1.5' };
  sums.add(row, 1);
  assert.equal(sums.add({ ...row, currency: 'USD' }, 2), false);
  assert.equal(sums.add({ ...row, cost: '999999999999' }, 3), false);
  assert.equal(sums.add({ ...row, units: 1e12 }, 4), false);
  assert.ok(sums.add({ ...row, sku: 'B' }, 5, 20_000));
  assert.deepEqual(
    [...sums.cells()].map(({ sku, since }) => [sku, since]),
    [
      ['A', undefined],
      ['B', 20_000],
    ],
  );
  // The sums of B do not count, and are not used elsewhere.
  await sums.stage(
    async () => undefined,
    ({ sku }) => sku === 'A',
  );
  assert.deepEqual(staged, [{ cells: { ...row, cost: '1.500000' }, line: 1 }]);
  assert.equal(reader.rowsAccepted, 1);
  assert.deepEqual(rejected, [
    [2, 'is in another currency than earlier rows with the same key'],
    [3, 'makes the sum of cost too large'],
    [4, 'makes the sum of units too large'],
  ]);
});

deepTest('a million sums are the most of a document', () => {
  const { sums } = noting();
  for (let number = 0; number < 1_000_000; number++)
    sums.add({ date: '2025-01-01', sku: String(number), units: 1 }, number);
  assert.throws(() => sums.add({ date: '2025-01-01', sku: 'one more' }, 0), DocumentRefused);
});

slowTest('packed texts are those that were added', () => {
  const texts = ['', 'a', 'ÿ', 'ā', '\u{1f600}', '\ud800', '\0', 'x'.repeat(1_100_000), 'after'];
  const many = Array.from({ length: 200_000 }, (_, number) => `${texts[number % 6]} ${number}`);
  const packed = new PackedTexts();
  const all = [...texts, ...many];
  const places = all.map((text) => packed.add(text));
  assert.deepEqual([...packed], all);
  const found = places.map((place) => packed.at(place));
  assert.deepEqual(found, all);
});

test('columns of figures keep missing ones apart from zero', () => {
  const [counts, amounts] = [new FigureColumn(), new FigureColumn()];
  for (const row of [0, 5000]) {
    counts.set(row, 0);
    amounts.set(row, 0n);
  }
  counts.set(1, null);
  assert.deepEqual(
    [0, 1, 5000, 90_000].map((row) => [counts.get(row), amounts.get(row)]),
    [
      [0, 0n],
      [null, null],
      [0, 0n],
      [null, null],
    ],
  );
});
