/** Texts get the same numbers as in a map, and the latest numbers are remembered. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { LatestNumbers, TextNumbers } from './textNumbers.ts';

/** Texts of every kind: similar, empty, beyond one byte a character, broken, too long to hold. */
const texts = [
  ...Array.from(
    { length: 30_000 },
    (_, number) => `701-${String(number % 20_000).padStart(9, '0')}`,
  ),
  ...['', '\0', 'ü', 'u\u0308', 'ÿ', 'ā', '\u{1f600}', '\ud800', '\udbff', 'ÿ\0'],
  ...[16, 17, 32, 33, 34, 1_100_000].flatMap((length) => ['x'.repeat(length), 'ā'.repeat(length)]),
  `#${hash('sha256', Buffer.from('x'.repeat(33), 'utf16le'), 'binary')}`,
  ...['\ud800'.repeat(17), '\ud801'.repeat(17)],
  'after a long one',
];

test('numbers of texts are those of a map', () => {
  const numbers = new TextNumbers();
  const expected = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    assert.equal(numbers.get(text), expected.get(text));
    numbers.set(text, index / 2);
    expected.set(text, index / 2);
  }
  assert.equal(numbers.size, expected.size);
  for (const [text, number] of expected) assert.equal(numbers.get(text), number);
  for (const other of ['701-', '701-00000000', '\ud801', 'x'.repeat(1_099_999)])
    assert.equal(numbers.get(other), undefined);
});

test('the latest numbers are known, and the earliest forgotten', () => {
  const latest = new LatestNumbers(100);
  for (let number = 0; number < 1000; number++) {
    latest.set(`text ${number}`, number);
    for (let back = 0; back < Math.min(100, number + 1); back += 33)
      assert.equal(latest.get(`text ${number - back}`), number - back);
  }
  assert.equal(latest.get('text 799'), undefined);
});
