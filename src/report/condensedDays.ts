/**
 * Days of facts in the working set, as running sums: the sums over any range of its days are
 * differences of two running sums. They take a fraction of the memory and time of one row per day.
 */

import { daysOf } from '../calendar/windows.ts';
import type { CondensedDays, Row } from '../engine/values.ts';
import type { Running, SeveralDays } from '../figures/exchange.ts';

/** Facts of one channel, date and currency. */
type DayFacts = { readonly channel: number; readonly day: number; readonly currency: string };

/**
 * The columns to condense: counts, which rows may omit; amounts; and numbers that stay separate day
 * by day.
 */
export type CondensedColumns<R> = {
  readonly counts: readonly (keyof R & string)[];
  readonly amounts: readonly (keyof R & string)[];
  readonly daily?: Readonly<Record<string, (row: R) => number>>;
};

const bytesPerGroup = 400;
const bytesPerNumber = 8;

/**
 * Condenses rows of days. A cut has one row of sums for each channel and currency with facts on its
 * days. Rows whose sums exceed 64 bits stay unchanged.
 */
export function condensing<R extends DayFacts & Row>(
  columns: CondensedColumns<R>,
): (rows: readonly R[]) => CondensedDays<R & Partial<SeveralDays>> {
  const cutOf = cutting(columns);
  return (rows) => {
    const groups = Map.groupBy(rows, ({ channel, currency }) => `${channel} ${currency}`);
    const condensed = [...groups.values()].map((group) => new Group(group, columns, cutOf));
    return {
      bytes: condensed.reduce((sum, group) => sum + group.bytes, 0),
      cut: (first, last) =>
        condensed.length === 1
          ? condensed[0]!.cut(first, last)
          : condensed.flatMap((group) => group.cut(first, last)),
    };
  };
}

/** The arrays of a group by column. */
type Sums = {
  /** Each begins with 0, followed by the running sum after each day. */
  readonly counts: Readonly<Record<string, Float64Array>>;
  readonly running: Running;
  /** Each has the number of every day. */
  readonly daily: Readonly<Record<string, Float64Array>>;
};

/** Makes the row of some days of a group, beginning at an offset; `facts` has its first day. */
type Cut = (facts: DayFacts, offset: number, days: number, sums: Sums) => object;

/** Makes rows that compute a sum only when it is read: an answer needs few sums of many rows. */
function cutting<R>({ counts, amounts, daily = {} }: CondensedColumns<R>): Cut {
  class CutDays implements DayFacts, SeveralDays {
    readonly channel: number;
    readonly day: number;
    readonly currency: string;
    readonly days: number;
    readonly offset: number;
    readonly #sums: Sums;

    constructor({ channel, day, currency }: DayFacts, offset: number, days: number, sums: Sums) {
      this.channel = channel;
      this.day = day;
      this.currency = currency;
      this.offset = offset;
      this.days = days;
      this.#sums = sums;
    }

    get running(): Running {
      return this.#sums.running;
    }

    static {
      const define = (name: string, get: (this: CutDays) => number | bigint | Float64Array) =>
        Object.defineProperty(CutDays.prototype, name, { get, enumerable: true });
      for (const name of counts)
        define(name, function () {
          const sums = this.#sums.counts[name]!;
          return sums[this.offset + this.days]! - sums[this.offset]!;
        });
      for (const name of amounts)
        define(name, function () {
          const sums = this.#sums.running[name]!;
          return sums[this.offset + this.days]! - sums[this.offset]!;
        });
      for (const name of Object.keys(daily))
        define(name, function () {
          return this.#sums.daily[name]!;
        });
    }
  }
  return (facts, offset, days, sums) => new CutDays(facts, offset, days, sums);
}

/** The days of one channel and currency. */
class Group<R extends DayFacts & Row> {
  /** The rows themselves, if their sums exceed 64 bits. */
  readonly #rows: readonly R[] | undefined;
  /** The first day of the group. */
  readonly #facts: DayFacts;
  /** The running count of rows, in the form of the columns' sums. */
  readonly #known: Float64Array;
  readonly #sums: Sums;
  readonly #cut: Cut;

  constructor(rows: readonly R[], { counts, amounts, daily = {} }: CondensedColumns<R>, cut: Cut) {
    const { first, last } = daysOf(rows);
    const { channel, currency } = rows[0]!;
    this.#facts = { channel, day: first, currency };
    this.#cut = cut;
    const length = last - first + 1;
    const countsOf = (of: (row: R) => number) => {
      const sums = new Float64Array(length + 1);
      for (const row of rows) sums[row.day - first + 1]! += of(row);
      for (let index = 1; index <= length; index++) sums[index]! += sums[index - 1]!;
      return sums;
    };
    const dailyOf = (of: (row: R) => number) => {
      const values = new Float64Array(length);
      for (const row of rows) values[row.day - first]! += of(row);
      return values;
    };
    this.#known = countsOf(() => 1);
    const running = amounts.map((name) => [name, runningSums(rows, name, first, length)] as const);
    this.#sums = {
      counts: Object.fromEntries(
        counts.map((name) => [name, countsOf((row) => (row[name] as number | undefined) ?? 0)]),
      ),
      running: Object.fromEntries(running.filter(hasSums)),
      daily: Object.fromEntries(Object.entries(daily).map(([name, of]) => [name, dailyOf(of)])),
    };
    this.#rows = running.every(hasSums) ? undefined : rows;
  }

  get bytes(): number {
    const { counts, running, daily } = this.#sums;
    const arrays = [counts, running, daily].map((one) => Object.keys(one).length);
    const numbers = arrays.reduce((sum, count) => sum + count, 1) * this.#known.length;
    return bytesPerGroup + numbers * bytesPerNumber;
  }

  /** The row of these days; none without facts. */
  cut(firstDay: number, lastDay: number): readonly (R & Partial<SeveralDays>)[] {
    const { channel, day: first, currency } = this.#facts;
    if (this.#rows !== undefined)
      return this.#rows.filter(({ day }) => day >= firstDay && day <= lastDay);
    const start = Math.max(0, firstDay - first);
    const end = Math.min(this.#known.length - 1, lastDay - first + 1);
    if (start >= end || this.#known[start] === this.#known[end]) return [];
    const facts = { channel, day: first + start, currency };
    return [this.#cut(facts, start, end - start, this.#sums) as R & SeveralDays];
  }
}

function hasSums(
  entry: readonly [string, BigInt64Array | undefined],
): entry is readonly [string, BigInt64Array] {
  return entry[1] !== undefined;
}

/** The running sums of an amount; undefined if they exceed 64 bits. */
function runningSums<R extends DayFacts & Row>(
  rows: readonly R[],
  name: keyof R & string,
  first: number,
  length: number,
): BigInt64Array | undefined {
  const sums = new BigInt64Array(length + 1);
  const add = (index: number, amount: bigint) => {
    const sum = sums[index]! + amount;
    sums[index] = sum;
    return sums[index] === sum;
  };
  for (const row of rows)
    if (!add(row.day - first + 1, (row as Row)[name] as bigint)) return undefined;
  for (let index = 1; index <= length; index++) if (!add(index, sums[index - 1]!)) return undefined;
  return sums;
}
