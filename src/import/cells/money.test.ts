/** Amounts of documents are read with the decimal mark that they show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesBeside } from '../../../test/table.ts';
import { type DecimalMark, readAmount, readAmountWith, readCount } from './money.ts';

test('amounts are read with the decimal mark of their document', () => {
  const read = (mark: DecimalMark, ...texts: string[]) =>
    texts.map((text) => readAmountWith(text, mark));
  assert.deepEqual(read(',', '1.582,89', '1.600,00', '-17,11'), ['1582.89', '1600.00', '-17.11']);
  assert.deepEqual(read('.', '1,582.89', '1,600', '-17.11'), ['1582.89', '1600', '-17.11']);
  assert.deepEqual(read(',', '1600', '1.700', '-100'), ['1600', '1700', '-100']);
  assert.deepEqual(read('.', '1.700', '0.30'), ['1.700', '0.30']);
  assert.deepEqual(read(',', '95,00', '−4,75', '+1,5'), ['95.00', '-4.75', '1.5']);
  assert.deepEqual(read('.', '1,234', '-266', '1,234,500'), ['1234', '-266', '1234500']);
  assert.deepEqual(read(',', '1.234'), ['1234']);
  assert.deepEqual(read('.', '1.234', '-0.266', '1,234.500'), ['1.234', '-0.266', '1234.500']);
  assert.deepEqual(read(',', '1,234', '-0,266'), ['1.234', '-0.266']);
  assert.deepEqual(read('.', '1,00,000.50', '.50', '7.'), ['100000.50', '0.50', '7']);
  assert.deepEqual(read(',', '1 582,89', '1\u202f582,89', "1'000,00"), [
    '1582.89',
    '1582.89',
    '1000.00',
  ]);
  assert.deepEqual(read('.', '(5.00)', '(1,234.50)', '12.34-', '1’234.50', '1 234.5'), [
    ...['-5.00', '-1234.50', '-12.34', '1234.50', '1234.5'],
  ]);
  assert.deepEqual(read('.', '95,00', '-4.75'), [undefined, '-4.75']);
  for (const text of ['', '-', '.', 'much', '1.2.3', '1,2345.00', '--1', '(-1)', '1e5', '$5'])
    assert.equal(readAmountWith(text, '.'), undefined, text);
  // Thousands never begin with 0: these are decimals with the other mark.
  const expected = [undefined, undefined];
  assert.deepEqual([readAmountWith('0,125', '.'), readAmountWith('-0.912', ',')], expected);
});

test('an amount by itself is read with its currency, and refused where it has two readings', () => {
  const cases = linesBeside(import.meta.url, 'amounts.jsonl');
  for (const [text, amount, count] of cases.map((line) => JSON.parse(line))) {
    const found = [readAmount(text), readCount(text)];
    assert.deepEqual(found, [amount ?? undefined, count ?? undefined], text);
  }
});
