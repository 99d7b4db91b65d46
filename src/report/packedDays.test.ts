/** Packed days have the sums of their rows in few bytes, and retain none of the rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fastCheck from 'fast-check';
import { testDepth } from '../../test/level.ts';
import { amountColumn, countColumn } from '../figures/columns.ts';
import { packedRows, packing, SummedItems } from './packedDays.ts';

type Day = {
  readonly channel: number;
  readonly day: number;
  readonly id: string;
  readonly currency: string;
  readonly clicks: number;
  readonly cost: bigint;
};

const columns = [countColumn('clicks'), amountColumn('cost')];
const pack = packing<Day>(columns);

/** The sums of a range by identifier, as packed figures have them. */
function packedSums(rows: readonly Day[], first: number, last: number) {
  const sums = new SummedItems(2);
  const factorOf = (currency: string, day: number) => {
    assert.ok(day >= first && day <= last, 'the factor of a day outside the range');
    return currency === 'USD' ? undefined : day;
  };
  for (const row of pack(rows).cut(first, last)) {
    assert.ok('packed' in row);
    row.packed.addUp(first, last, factorOf, sums);
  }
  return new Map(
    [...sums.keys()].map((id) => {
      const { exact, converted } = sums.get(id)!;
      return [id, [[...exact], [...converted]] as const];
    }),
  );
}

const amounts = fastCheck.oneof(
  fastCheck.bigInt({ min: -90_000n, max: 90_000_000n }).map((hundredths) => hundredths * 10_000n),
  fastCheck.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  fastCheck.constant(0n),
);
const rowsOfDays = fastCheck.array(
  fastCheck.record<Day>({
    channel: fastCheck.constant(1),
    day: fastCheck.integer({ min: 100, max: 131 }),
    id: fastCheck.constantFrom('1', '2', 'é'),
    currency: fastCheck.constantFrom('USD', 'USD', 'EUR'),
    clicks: fastCheck.oneof(fastCheck.nat(9), fastCheck.nat(70_000), fastCheck.nat(5_000_000)),
    cost: amounts,
  }),
  { maxLength: 60 },
);

test('the sums of any days equal those of the rows, each amount converted by its day', () => {
  fastCheck.assert(
    fastCheck.property(
      rowsOfDays,
      fastCheck.integer({ min: 95, max: 135 }),
      fastCheck.nat(40),
      (rows, first, length) => {
        const last = first + length;
        const within = rows.filter(({ day }) => day >= first && day <= last);
        const found = packedSums(rows, first, last);
        assert.deepEqual([...found.keys()].sort(), [...new Set(within.map(({ id }) => id))].sort());
        for (const [id, [exact, converted]] of found) {
          const own = within.filter((row) => row.id === id);
          const ofUsd = own.filter(({ currency }) => currency === 'USD');
          const clicks = own.reduce((sum, row) => sum + row.clicks, 0);
          assert.deepEqual(exact, [clicks, Number(ofUsd.reduce((sum, row) => sum + row.cost, 0n))]);
          const millionths = own
            .filter(({ currency }) => currency !== 'USD')
            .reduce((sum, { cost, day }) => sum + cost * BigInt(day), 0n);
          assert.equal(converted[0], 0);
          const error = Math.abs(converted[1]! - Number(millionths) / 1e6);
          assert.ok(error <= 1e-6 * Math.max(1, Math.abs(converted[1]!)), `${error}`);
        }
      },
    ),
    { numRuns: 400 * testDepth },
  );
});

test('the rows of any days in other currencies equal the packed ones', () => {
  fastCheck.assert(
    fastCheck.property(
      rowsOfDays,
      fastCheck.integer({ min: 95, max: 135 }),
      fastCheck.integer({ min: -3, max: 40 }),
      fastCheck.constantFrom('USD', 'EUR', 'GBP'),
      (rows, first, length, own) => {
        const last = first + length;
        const found = (packedRows(rows, columns) ?? []).flatMap((packed) =>
          [...packed.inOthers(own, first, last)].map(({ at, ...row }) => [row, at(0), at(1)]),
        );
        const expected = rows
          .filter(({ day, currency }) => day >= first && day <= last && currency !== own)
          .toSorted((one, other) => one.day - other.day)
          .map(({ channel: _, clicks, cost, ...row }) => [row, clicks, Number(cost)]);
        assert.deepEqual(found, expected);
      },
    ),
    { numRuns: 400 * testDepth },
  );
});

test('whole hundredths and counts take half the bytes of other numbers, and zeros none', () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({
    channel: 1,
    day: 100 + (index % 32),
    id: String(index % 40),
    currency: 'USD',
    clicks: 0,
    cost: BigInt(index) * 10_000_000_000n,
  }));
  // Each row has an item and a currency of 5 bytes, each item a text and a total of each column.
  const bytes = (columns: number, ofRow: number) =>
    600 + 33 * 4 + 40 * (60 + 8 * columns) + 1_000 * (5 + ofRow);
  assert.equal(pack(rows).bytes, bytes(1, 4));
  const odd = rows.map((row) => ({ ...row, clicks: 300, cost: row.cost + 1n }));
  assert.equal(pack(odd).bytes, bytes(2, 4 + 8));
});

test('sums that doubles cannot hold exactly stay in rows', () => {
  const of = (day: number, cost: bigint): Day => ({
    channel: 1,
    day,
    id: '1',
    currency: 'USD',
    clicks: 1,
    cost,
  });
  const large = 2n ** 53n / 100n;
  const rows = [of(100, large), of(101, -large), of(102, 5n)];
  assert.deepEqual(pack(rows).cut(101, 110), rows.slice(1));
  assert.deepEqual(pack([]).cut(0, 200), []);
});

test('rows are released once they are packed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const packedRow = () => {
    const row: Day = { channel: 1, day: 100, id: '1', currency: 'USD', clicks: 1, cost: 5n };
    return { condensed: pack([row]), row: new WeakRef(row) };
  };
  const { condensed, row } = packedRow();
  await nextTurn();
  collectGarbage();
  assert.equal(row.deref(), undefined);
  assert.equal(condensed.cut(100, 100).length, 1);
});
