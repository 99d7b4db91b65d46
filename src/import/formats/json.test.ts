/** JSON documents that are read in portions have the same rows and numbers as the whole. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { slowTest, testDepth } from '../../../test/level.ts';
import { listsOf, textBeside } from '../../../test/table.ts';
import { parseExactly } from '../rows.ts';
import { JsonDocument } from './json.ts';

/** Longer than a portion of a list; a row of this length starts a new one. */
const long = `{"a":[],\\"é`.repeat(7000);
const value = fc.jsonValue({ maxDepth: 3 });
const rows = fc.array(fc.oneof(value, value, value, fc.constant(long)), { maxLength: 12 });
const body = fc.record({ a: rows, p: fc.record({ a: rows, 'b"]': rows }), x: value });
const paths = [['a'], ['p', 'a'], ['p', 'b"]']];

const at = (whole: unknown, path: readonly string[]) =>
  path.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], whole);

async function* pieces(text: string, bytesMax: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += bytesMax)
    yield bytes.subarray(start, start + bytesMax);
}

async function read(text: string, bytesMax: number, found: readonly string[][]) {
  const path = join(tmpdir(), `vitrine-json-${process.pid}.json`);
  const document = await JsonDocument.open(pieces(text, bytesMax), path, 512);
  try {
    return [found.map((one) => [...document.rowsAt(one)].flat()), document.whole];
  } finally {
    document.close();
  }
}

slowTest('rows of a document read by portions are those of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.integer({ min: 1, max: 3 }),
      fc.nat(2),
      async (made, size, indent) => {
        const text = JSON.stringify(made, null, indent);
        const whole = parseExactly(text);
        const expected = paths.map((path) => at(whole, path));
        assert.deepEqual(await read(text, 7 ** (2 * size), paths), [expected, whole]);
        const list = JSON.stringify(made.a, null, indent);
        assert.deepEqual(await read(list, 50_000, [[]]), [
          [parseExactly(list)],
          parseExactly(list),
        ]);
      },
    ),
    { numRuns: Math.ceil(60 * testDepth), seed: 1 },
  );
});

test('numbers that a double may not hold stay text, whatever stands around them', () => {
  const numbers = listsOf(textBeside(import.meta.url, 'json.numbers.csv'));
  for (const [number, expected] of numbers)
    for (const space of ['', ' ', '\n\t']) {
      const inside = `${space}${number}${space}`;
      assert.deepEqual(parseExactly(`[${inside},"1e9 12345678901",${inside}]`), [
        ...[expected, '1e9 12345678901', expected],
      ]);
      assert.deepEqual(parseExactly(`{"a:1":${inside},"b":"x"}`), { 'a:1': expected, b: 'x' });
    }
});
