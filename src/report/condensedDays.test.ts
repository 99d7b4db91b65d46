/** Condensed days have the sums of their original rows, and amounts stay exact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { testDepth } from '../../test/level.ts';
import { condensing } from './condensedDays.ts';

type Facts = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly units: number;
  readonly sales: bigint;
};

const condense = condensing<Facts>({
  counts: ['units'],
  amounts: ['sales'],
  daily: { prices: ({ sales }) => Number(sales) },
});

test('the days that are cut have the sums of their rows, and their amounts day by day', () => {
  const rows: Facts[] = [
    { channel: 1, day: 10, currency: 'USD', units: 2, sales: 5_000_000n },
    { channel: 1, day: 12, currency: 'USD', units: 1, sales: -7_000_000n },
    { channel: 1, day: 12, currency: 'EUR', units: 4, sales: 1n },
    { channel: 2, day: 11, currency: 'USD', units: 8, sales: 3n },
  ];
  const cut = condense(rows)
    .cut(11, 40)
    .map((row) => {
      const { channel, day, days, currency, offset, units, sales, running } = row;
      const { prices } = row as unknown as { readonly prices: Float64Array };
      return [[channel, day, days, currency, offset, units, sales], prices, running!.sales];
    });
  assert.deepEqual(cut, [
    [
      [1, 11, 2, 'USD', 1, 1, -7_000_000n],
      Float64Array.of(5_000_000, 0, -7_000_000),
      BigInt64Array.of(0n, 5_000_000n, 5_000_000n, -2_000_000n),
    ],
    [[1, 12, 1, 'EUR', 0, 4, 1n], Float64Array.of(1), BigInt64Array.of(0n, 1n)],
    [[2, 11, 1, 'USD', 0, 8, 3n], Float64Array.of(3), BigInt64Array.of(0n, 3n)],
  ]);
});

test('days without facts have no row; days with facts that are zero have one', () => {
  const empty = { channel: 1, currency: 'USD', units: 0, sales: 0n };
  const condensed = condense([
    { ...empty, day: 3 },
    { ...empty, day: 9 },
  ]);
  assert.deepEqual(condensed.cut(4, 8), []);
  assert.equal(condensed.cut(3, 3).length, 1);
  assert.deepEqual(condense([]).cut(0, 100), []);
});

test('amounts beyond 64 bits stay exact, row by row', () => {
  const row = { channel: 1, day: 1, currency: 'VND', units: 1, sales: 2n ** 62n };
  const rows = [row, { ...row, day: 2 }, { ...row, day: 3 }];
  assert.deepEqual(condense(rows).cut(2, 3), rows.slice(1));
});

test('any days of random facts have the sums of their original rows', () => {
  const facts = fastCheck.record({
    channel: fastCheck.constantFrom(1, 2),
    day: fastCheck.integer({ min: -5, max: 26 }),
    currency: fastCheck.constantFrom('USD', 'JPY'),
    units: fastCheck.integer({ min: -9, max: 9 }),
    sales: fastCheck.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  });
  const day = fastCheck.integer({ min: -8, max: 30 });
  fastCheck.assert(
    fastCheck.property(fastCheck.array(facts), day, day, (rows, first, last) => {
      const cut = condense(rows).cut(first, last);
      const held = rows.filter((row) => row.day >= first && row.day <= last);
      const keysOf = (some: readonly { channel: number; currency: string }[]) =>
        [...new Set(some.map(({ channel, currency }) => `${channel} ${currency}`))].sort();
      assert.deepEqual(keysOf(cut), keysOf(held));
      for (const row of cut) {
        const { channel, currency, units, sales, day: from, days, offset, running } = row;
        const own = held.filter((one) => one.channel === channel && one.currency === currency);
        assert.equal(
          units,
          own.reduce((sum, one) => sum + one.units, 0),
        );
        assert.equal(
          sales,
          own.reduce((sum, one) => sum + one.sales, 0n),
        );
        const sums = running!.sales!;
        for (let index = 0; index < days!; index++)
          assert.equal(
            sums[offset! + index + 1]! - sums[offset! + index]!,
            own.reduce((sum, one) => (one.day === from + index ? sum + one.sales : sum), 0n),
          );
      }
    }),
    { numRuns: Math.ceil(100 * testDepth) },
  );
});
