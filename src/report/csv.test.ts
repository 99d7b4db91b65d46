/** CSV reports are quoted as in RFC 4180, and none of their cells can run as a formula. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cell, type Column, createCsvWriter } from './csv.ts';

type Row = readonly [title: Cell, sales: Cell];

const columns: Column<Row>[] = [
  { name: 'title', type: 'text', cell: ([title]) => title },
  { name: 'sales', type: 'number', cell: ([, sales]) => sales },
];

test('Rows end with CRLF, missing values are blank, and only fields that need it are quoted.', () => {
  const csv = createCsvWriter(columns);
  assert.equal(csv.header(), 'title,sales\r\n');
  assert.equal(
    csv.rows([
      ['plain', 1],
      ['a, b', '2.50'],
      ['a;=b', 3],
      ['he said "no"', null],
      ['two\nlines', 0],
      ['two\r\nlines', -1.5],
      [null, null],
      ['', '0'],
      ['ünïcode 😀', '123456789012345678.90'],
    ]),
    'plain,1\r\n"a, b",2.50\r\n"a;=b",3\r\n"he said ""no""",\r\n"two\nlines",0\r\n"two\r\nlines",-1.5\r\n,\r\n,0\r\nünïcode 😀,123456789012345678.90\r\n',
  );
  assert.equal(csv.rows([]), '');
});

test('Text that a spreadsheet would run as a formula gets an apostrophe; a number never does.', () => {
  const csv = createCsvWriter(columns);
  const written = (text: string) => csv.rows([[text, '-1.00']]);
  assert.equal(written('=1+1'), "'=1+1,-1.00\r\n");
  assert.equal(written('+49'), "'+49,-1.00\r\n");
  assert.equal(written('-5'), "'-5,-1.00\r\n");
  assert.equal(written('@me'), "'@me,-1.00\r\n");
  assert.equal(written('\tx'), "'\tx,-1.00\r\n");
  assert.equal(written('\rx'), '"\'\rx",-1.00\r\n');
  assert.equal(written('\n=1'), '"\'\n=1",-1.00\r\n');
  for (const sign of ['\uff1d', '\uff0b', '\uff0d', '\uff20'])
    assert.equal(written(`${sign}1`), `'${sign}1,-1.00\r\n`);
  for (const blank of [' ', '\u00a0', '\u3000', '\u200b', '\ufeff', '\0', ' \u2029'])
    assert.equal(written(`${blank}=1`), `'${blank}=1,-1.00\r\n`);
  assert.equal(written(' a'), ' a,-1.00\r\n');
  assert.equal(written('=HYPERLINK("x","y")'), '"\'=HYPERLINK(""x"",""y"")",-1.00\r\n');
  assert.equal(written('a=1'), 'a=1,-1.00\r\n');
});

test('Column names are written as text, whatever their cells are.', () => {
  const csv = createCsvWriter<Row>([
    { name: 'a,b', type: 'number', cell: ([, sales]) => sales },
    { name: '=c', type: 'number', cell: ([, sales]) => sales },
  ]);
  assert.equal(csv.header(), '"a,b",\'=c\r\n');
});

test('A number column that holds anything but a decimal number throws.', () => {
  const csv = createCsvWriter(columns);
  const values = ['1e5', '=1', '', ' 1', '1,5', '--1', Number.NaN, Number.POSITIVE_INFINITY, 1e21];
  for (const value of values)
    assert.throws(() => csv.rows([['x', value]]), /the column sales holds no decimal number/);
});
