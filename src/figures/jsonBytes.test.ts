/** Numbers as bytes are those that JSON and decimal arithmetic on texts give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { asciiBytes, decimalText, JsonBytes } from './jsonBytes.ts';

const wholes = fastCheck.oneof(
  fastCheck.integer({ min: -200, max: 200 }),
  fastCheck.integer(),
  fastCheck.maxSafeInteger(),
  fastCheck.constantFrom(2 ** 31 - 1, 2 ** 31, 1e9, 1e9 - 1, 1e10, 2 ** 53 - 1, 1 - 2 ** 53),
  fastCheck.bigInt(),
);

/** The text of a number of units by moving the point, as done by hand. */
function byHand(value: number | bigint, places: number): string {
  const digits = String(BigInt(value))
    .replace('-', '')
    .padStart(places + 1, '0');
  const sign = value < 0 ? '-' : '';
  const at = digits.length - places;
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}

test('numbers of every size and number of places', () => {
  fastCheck.assert(
    fastCheck.property(wholes, fastCheck.nat(6), (value, places) => {
      const out = new JsonBytes(0);
      out.integer(value);
      out.raw(asciiBytes(','));
      out.decimal(value, places);
      const text = byHand(value, places);
      assert.equal(out.written.toString(), `${byHand(value, 0)},"${text}"`);
      assert.equal(decimalText(value, places), text);
    }),
    { numRuns: 2_000 },
  );
});

test('texts of any characters, longer than what was reserved', () => {
  fastCheck.assert(
    fastCheck.property(fastCheck.array(fastCheck.string({ unit: 'grapheme' })), (texts) => {
      const out = new JsonBytes(1);
      for (const text of texts) out.text(JSON.stringify(text));
      assert.equal(out.written.toString(), texts.map((text) => JSON.stringify(text)).join(''));
    }),
  );
});
