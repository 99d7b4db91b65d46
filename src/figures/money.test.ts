/** Quotients are exact at any size, and rounded half away from zero. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { quotient, quotientText } from './money.ts';

/** The quotient by whole numbers of any size alone. */
function byHand(part: bigint, whole: bigint, places: number, factor: number): bigint {
  const numerator = part * 10n ** BigInt(places) * BigInt(factor);
  const size = numerator < 0n ? -numerator : numerator;
  const doubled = (2n * size + whole) / (2n * whole);
  return numerator < 0n ? -doubled : doubled;
}

const parts = fastCheck.oneof(
  fastCheck.integer({ min: -1_000, max: 1_000 }),
  fastCheck.integer({ min: -(2 ** 45), max: 2 ** 45 }),
  fastCheck.maxSafeInteger(),
  fastCheck.constantFrom(2 ** 53 - 1, 1 - 2 ** 53, 2 ** 52, 5_000, -5_000, 14_999),
  fastCheck.bigInt(),
);
const wholes = fastCheck.oneof(
  fastCheck.constantFrom(1, 2, 3, 7, 10_000, 1_000_000, 2 ** 52, 10n ** 18n),
  fastCheck.integer({ min: 1, max: 1_000 }),
  fastCheck.maxSafeNat().map((value) => value + 1),
  fastCheck.bigInt({ min: 1n, max: 10n ** 30n }),
);

test('quotients of parts and wholes of every size', () => {
  fastCheck.assert(
    fastCheck.property(
      parts,
      wholes,
      fastCheck.nat(4),
      fastCheck.constantFrom(1, 100),
      (part, whole, places, factor) => {
        const exact = byHand(BigInt(part), BigInt(whole), places, factor);
        assert.equal(BigInt(quotient(part, whole, places, factor)), exact);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('halves go away from zero, and nothing is minus zero', () => {
  assert.equal(quotientText(5_000, 1_000_000, 2), '0.01');
  assert.equal(quotientText(-5_000, 1_000_000, 2), '-0.01');
  assert.equal(quotientText(-4_999, 1_000_000, 2), '0.00');
  assert.equal(quotientText(4_999, 1_000_000, 2), '0.00');
  assert.equal(quotientText(2, 3, 1, 100), '66.7');
});
