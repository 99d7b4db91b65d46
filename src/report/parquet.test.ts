/** Parquet reports have typed columns, and every cell is read back unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDepth } from '../../test/level.ts';
import { readParquet } from '../../test/parquet.ts';
import { listsOf, textBeside } from '../../test/table.ts';
import { beginParquet } from './parquet.ts';
import type { TypedColumn } from './typedColumns.ts';

type Row = readonly (string | number | null)[];

const columns: readonly TypedColumn<Row>[] = [
  { name: 'text', type: 'text', cell: (row) => row[0]! },
  { name: 'date', type: 'text', isDate: true, cell: (row) => row[1]! },
  { name: 'whole', type: 'number', digits: 'whole', cell: (row) => row[2]! },
  { name: 'none', type: 'number', digits: 0, cell: (row) => row[3]! },
  { name: 'four', type: 'number', digits: 4, cell: (row) => row[4]! },
];
const types = ['VARCHAR', 'DATE', 'BIGINT', 'DECIMAL(18,0)', 'DECIMAL(18,4)'];

async function written(portions: readonly (readonly Row[])[]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const file = beginParquet(columns, async (bytes) => {
    pieces.push(bytes);
  });
  for (const rows of portions) await file.add(rows);
  await file.end();
  return pieces;
}

const read = async (...portions: readonly (readonly Row[])[]) =>
  readParquet(Buffer.concat(await written(portions)));

test('Columns have types, blank cells are null, and text is not escaped', async () => {
  const table = await read(
    [
      ['=1+2', '2025-02-28', 9_007_199_254_740_991, '-5', '0.5'],
      ['ü "x",\r\n', '1969-12-31', '-3', '123456789012345678', '-12345678901234.5678'],
    ],
    [
      ['', '', null, null, null],
      ['0', '2024-02-29', 0, '0', '-0.0000'],
    ],
  );
  assert.deepEqual(table.columns, ['text', 'date', 'whole', 'none', 'four']);
  assert.deepEqual(table.types, types);
  assert.deepEqual(table.rows, [
    ['=1+2', '2025-02-28', '9007199254740991', '-5', '0.5000'],
    ['ü "x",\r\n', '1969-12-31', '-3', '123456789012345678', '-12345678901234.5678'],
    [null, null, null, null, null],
    ['0', '2024-02-29', '0', '0', '0.0000'],
  ]);
});

test('A file without rows has its columns', async () => {
  const table = await read();
  assert.deepEqual([table.types, table.rows], [types, []]);
});

test('Many rows are written in groups, so that few wait in memory', async () => {
  const row = (number: number): Row => [`row ${number}`, null, number, null, `${number}.25`];
  const rows = Array.from({ length: 5_000 }, (_, number) => row(number));
  const pieces = await written([rows.slice(0, 1_999), rows.slice(1_999)]);
  assert.equal(pieces.length, 4);
  const table = await readParquet(Buffer.concat(pieces));
  assert.equal(table.groups, 3);
  assert.deepEqual(
    table.rows.map(([text, , whole, , four]) => [text, whole, four]),
    rows.map((_, number) => [`row ${number}`, String(number), `${number}.2500`]),
  );
});

test('A cell that is not of its type stops the file', async () => {
  for (const [column, cell] of listsOf(textBeside(import.meta.url, 'parquet.unsuited.csv'))) {
    const row: Row = [0, 1, 2, 3, 4].map((place) => (place === column ? cell : null));
    await assert.rejects(written([[row]]), {
      message: `the column ${columns[column]!.name} does not hold ${cell}`,
    });
  }
});

test('Random cells come back as they were', async () => {
  const digits = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n });
  const four = digits.map((value) => {
    const text = String(value < 0n ? -value : value).padStart(5, '0');
    const sign = value < 0n ? '-' : '';
    return `${sign}${text.slice(0, -4)}.${text.slice(-4)}`;
  });
  const rows = fc.array(
    fc.tuple(
      fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
      fc.option(
        fc
          .integer({ min: -100_000, max: 100_000 })
          .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
      ),
      fc.option(fc.maxSafeInteger().map(String)),
      fc.option(digits.map(String)),
      fc.option(four),
    ),
    { minLength: 1, maxLength: 50 },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      assert.deepEqual((await read(given)).rows, given);
    }),
    { numRuns: Math.ceil(20 * testDepth) },
  );
});
