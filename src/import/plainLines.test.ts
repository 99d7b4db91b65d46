/** Lines that readers might understand differently are not left to an engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPlainLines, type PlainCell, plainLine } from './plainLines.ts';

const cells: readonly PlainCell[] = [
  { name: 'sku', as: 'text', bytesMax: 10, isRequired: true, isNumber: false },
  { name: 'units', as: 'whole', pattern: '\\d{1,3}', isRequired: false, isNumber: true },
];
const json = plainLine({ colon: ':', comma: ',' }, cells);
const csv = plainLine({ delimiter: ';' }, cells);

const counted = (text: string, line: RegExp) => countPlainLines(Buffer.from(text), line);

test('plain lines are counted in any number of slices', () => {
  const lines = 20_000;
  assert.equal(counted('{"sku":"A","units":7}\n'.repeat(lines), json), lines);
  assert.equal(counted('A;7\n'.repeat(lines), csv), lines);
  assert.equal(counted(`${'A;7\n'.repeat(lines)}A;x\n`, csv), undefined);
});

test('optional cells may be missing, required ones not', () => {
  assert.equal(counted('{"sku":"A","units":null}\n', json), 1);
  assert.equal(counted('A;\n', csv), 1);
  assert.equal(counted('{"sku":"","units":7}\n', json), undefined);
  assert.equal(counted(';7\n', csv), undefined);
});

test('a line that readers may understand in different ways is not plain', () => {
  const odd = [
    ...['\n', 'A;7', 'A;7\r\n', 'A;7;\n', 'A\n', '"A";7\n', 'A\t;7\n', 'A;7\n\nA;7\n'],
    ...['A;1234\n', 'ABCDEFGHIJK;7\n', `${'A'.repeat(70_000)};7\n`],
  ];
  for (const text of odd) assert.equal(counted(text, csv), undefined, text.slice(0, 20));
  for (const text of ['{"units":7,"sku":"A"}\n', '{"sku":"A\\u0041","units":7}\n', '{"sku":"A"}\n'])
    assert.equal(counted(text, json), undefined, text);
  assert.equal(countPlainLines(Buffer.from([0xff, 0x3b, 0x37, 0x0a]), csv), undefined);
});
