import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, createCsvWriter } from './csv.ts';

const columns: Column[] = [
  { name: 'title', type: 'text' },
  { name: 'sales', type: 'number' },
];

test('Rows end with CRLF, missing values are blank, and only fields that need it are quoted.', () => {
  const csv = createCsvWriter(columns);
  assert.equal(csv.header(), 'title,sales\r\n');
  assert.equal(
    csv.rows([
      ['plain', 1],
      ['a, b', '2.50'],
      ['he said "no"', null],
      ['two\nlines', 0],
      ['two\r\nlines', -1.5],
      [null, null],
      ['', '0'],
      ['ünïcode 😀', '123456789012345678.90'],
    ]),
    'plain,1\r\n"a, b",2.50\r\n"he said ""no""",\r\n"two\nlines",0\r\n"two\r\nlines",-1.5\r\n,\r\n,0\r\nünïcode 😀,123456789012345678.90\r\n',
  );
  assert.equal(csv.rows([]), '');
});

test('Text that a spreadsheet would compute gets an apostrophe, a number never does.', () => {
  const csv = createCsvWriter(columns);
  const written = (text: string) => csv.rows([[text, '-1.00']]);
  assert.equal(written('=1+1'), "'=1+1,-1.00\r\n");
  assert.equal(written('+49'), "'+49,-1.00\r\n");
  assert.equal(written('-5'), "'-5,-1.00\r\n");
  assert.equal(written('@me'), "'@me,-1.00\r\n");
  assert.equal(written('\tx'), "'\tx,-1.00\r\n");
  assert.equal(written('\rx'), '"\'\rx",-1.00\r\n');
  assert.equal(written('=HYPERLINK("x","y")'), '"\'=HYPERLINK(""x"",""y"")",-1.00\r\n');
  assert.equal(written('a=1'), 'a=1,-1.00\r\n');
});

test('The names of columns are text as well, whatever their columns hold.', () => {
  const csv = createCsvWriter([
    { name: 'a,b', type: 'number' },
    { name: '=c', type: 'number' },
  ]);
  assert.equal(csv.header(), '"a,b",\'=c\r\n');
});

test('A number that is none, and a row of another length, are refused.', () => {
  const csv = createCsvWriter(columns);
  for (const cell of [
    '1e5',
    '=1',
    '',
    ' 1',
    '1,5',
    '--1',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ]) {
    assert.throws(() => csv.rows([['x', cell]]), /a cell of sales is no decimal number/);
  }
  assert.throws(() => csv.rows([['x']]), /a row has 1 cells for 2 columns/);
  assert.throws(() => csv.rows([['x', 1, 2]]), /a row has 3 cells for 2 columns/);
});
