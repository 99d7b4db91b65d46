/** The sums of tables of items are those of their rows, or there are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { testDepth } from '../../test/level.ts';
import { amountColumn, countColumn } from '../figures/columns.ts';
import { itemTablesOfRows, SummedItems } from './itemTables.ts';

type Day = {
  readonly channel: number;
  readonly day: number;
  readonly id: string;
  readonly currency: string;
  readonly clicks: number;
  readonly cost: bigint;
};

const columns = [countColumn('clicks'), amountColumn('cost')];

/** The sums of a range by identifier, as tables have them. */
function sumsOfTables(rows: readonly Day[], first: number, last: number) {
  const sums = new SummedItems(2);
  const factorOf = (currency: string, day: number) => {
    assert.ok(day >= first && day <= last, 'the factor of a day outside the range');
    return currency === 'USD' ? undefined : day;
  };
  for (const table of itemTablesOfRows(rows, columns)!) table.addUp(first, last, factorOf, sums);
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
        const found = sumsOfTables(rows, first, last);
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

test('the figures of any days in other currencies equal those of the rows', () => {
  fastCheck.assert(
    fastCheck.property(
      rowsOfDays,
      fastCheck.integer({ min: 95, max: 135 }),
      fastCheck.integer({ min: -3, max: 40 }),
      fastCheck.constantFrom('USD', 'EUR', 'GBP'),
      (rows, first, length, own) => {
        const last = first + length;
        const found = itemTablesOfRows(rows, columns)!.flatMap((table) =>
          [...table.inOthers(own, first, last)].map(({ at, ...row }) => [row, at(0), at(1)]),
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

test('sums that doubles cannot hold exactly have no tables', () => {
  const of = (day: number, cost: bigint): Day => ({
    channel: 1,
    day,
    id: '1',
    currency: 'USD',
    clicks: 1,
    cost,
  });
  const large = 2n ** 51n;
  assert.equal(itemTablesOfRows([of(100, large), of(101, -large)], columns)?.length, 1);
  const larger = [of(100, large), of(101, -large), of(102, 5n)];
  assert.equal(itemTablesOfRows(larger, columns), undefined);
  assert.equal(itemTablesOfRows([of(100, 2n ** 60n)], columns), undefined);
  assert.deepEqual(itemTablesOfRows([], columns), []);
});
