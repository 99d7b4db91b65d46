/** DuckDB's values are read as plain values, whole and in portions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Row } from '../warehouse.ts';
import { portionsOf, rowsOf } from './answers.ts';

/** The rows of a statement, read whole and in portions, which must be equal. */
async function rowsOfStatement(sql: string): Promise<Row[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const whole = await rowsOf(await connection.run(sql));
    const portions: Row[] = [];
    for await (const portion of portionsOf(await connection.stream(sql))) portions.push(...portion);
    assert.deepEqual(portions, whole);
    return whole;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function valuesOf(...sql: string[]): Promise<unknown[]> {
  const list = sql.map((one) => `(${one})`).join(', ');
  const rows = await rowsOfStatement(`SELECT value FROM (VALUES ${list}) AS one(value)`);
  return rows.map(({ value }) => value);
}

test('amounts are millionths, at any size and sign', async () => {
  const of38 = (text: string) => `CAST('${text}' AS DECIMAL(38,6))`;
  assert.deepEqual(
    await valuesOf(
      ...['0', '0.000001', '-0.000001', '9223372036854.775807', '9223372036854.775808'].map(of38),
      ...['-9223372036854.775808', '-9223372036854.775809', '18446744073709.551615'].map(of38),
      ...['4294967296', '-4294967296', '99999999999999999999999999999999.999999'].map(of38),
      of38('-99999999999999999999999999999999.999999'),
      'NULL',
    ),
    [
      ...[0n, 1n, -1n, 2n ** 63n - 1n, 2n ** 63n],
      ...[-(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 64n - 1n],
      ...[2n ** 32n * 1_000_000n, -(2n ** 32n) * 1_000_000n, 10n ** 38n - 1n],
      -(10n ** 38n) + 1n,
      null,
    ],
  );
  assert.deepEqual(await valuesOf('CAST(-12.34 AS DECIMAL(18,2))', 'NULL'), [-12_340_000n, null]);
  assert.deepEqual(await valuesOf('CAST(7 AS DECIMAL(38,0))'), [7_000_000n]);
  await assert.rejects(valuesOf('CAST(1 AS DECIMAL(18,7))'), /more than six places/);
});

test('whole numbers are numbers, dates day numbers and truths 0 or 1', async () => {
  assert.deepEqual(
    await valuesOf('CAST(-1 AS BIGINT)', '9007199254740991', '-9007199254740991', '4294967296'),
    [-1, 9_007_199_254_740_991, -9_007_199_254_740_991, 4_294_967_296],
  );
  assert.deepEqual(await valuesOf('CAST(-5 AS HUGEINT)', '18446744073709551616'), [-5, 2 ** 64]);
  assert.deepEqual(await valuesOf('CAST(-2147483648 AS INTEGER)', 'NULL'), [-2_147_483_648, null]);
  assert.deepEqual(await valuesOf("DATE '1969-12-31'", "DATE '2025-01-01'"), [-1, 20_089]);
  assert.deepEqual(await valuesOf('true', 'false', 'NULL'), [1, 0, null]);
});

test('texts and doubles are as the driver makes them', async () => {
  assert.deepEqual(await valuesOf("'Größe 👟'", "''", 'NULL'), ['Größe 👟', '', null]);
  assert.deepEqual(await valuesOf('CAST(0.1 AS DOUBLE)', "'-inf'"), [
    0.1,
    Number.NEGATIVE_INFINITY,
  ]);
});

test('rows beyond one chunk keep their nulls and their order', async () => {
  const rows = await rowsOfStatement(
    `SELECT range AS number, CASE WHEN range % 3 = 0 THEN NULL ELSE range END AS some
     FROM range(5000) ORDER BY range`,
  );
  assert.equal(rows.length, 5_000);
  for (const [index, { number, some }] of rows.entries())
    assert.deepEqual([number, some], [index, index % 3 === 0 ? null : index]);
});
