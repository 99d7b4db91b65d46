/**
 * Days of facts in the working set as running sums: the sums of any of its days are the difference
 * of two of them. They take a fraction of the memory and of the time of one row per day.
 */
import type { CondensedDays, Row } from '../engine/values.ts';
import { daysOf } from './period.ts';

/** Facts of one channel, date and currency. */
type DayFacts = { readonly channel: number; readonly day: number; readonly currency: string };

/**
 * The fields of a row of several days, in addition to their sums. Rows share arrays with all rows
 * that are cut from the same block: making arrays of their own would take longer than all else.
 */
export type SeveralDays = {
  /** How many days it is about, from its `day` on. */
  readonly days: number;
  /** The position of its first day in arrays by day. */
  readonly offset: number;
  /** The running sums of each amount in millionths, before each day and after the last. */
  readonly running: Running;
};

type Running = Readonly<Record<string, BigInt64Array>>;

/**
 * The columns to condense: those of counts, which rows may lack, those of amounts, and numbers that
 * stay day by day.
 */
export type CondensedColumns<R> = {
  readonly counts: readonly (keyof R & string)[];
  readonly amounts: readonly (keyof R & string)[];
  readonly daily?: Readonly<Record<string, (row: R) => number>>;
};

type Sums = Readonly<Record<string, number | bigint>>;

const bytesPerGroup = 400;
const bytesPerNumber = 8;

/**
 * Condenses rows of days. For each channel and currency with facts on the days that are cut, there
 * is one row with their sums. Rows with sums beyond 64 bits stay as they are.
 */
export function condensing<R extends DayFacts & Row>(
  columns: CondensedColumns<R>,
): (rows: readonly R[]) => CondensedDays<R & Partial<SeveralDays>> {
  return (rows) => {
    const groups = Map.groupBy(rows, ({ channel, currency }) => `${channel} ${currency}`);
    const condensed = [...groups.values()].map((group) => new Group(group, columns));
    return {
      bytes: condensed.reduce((sum, group) => sum + group.bytes, 0),
      cut: (first, last) => condensed.flatMap((group) => group.cut(first, last)),
    };
  };
}

/** The days of one channel and currency. */
class Group<R extends DayFacts & Row> {
  #rows: readonly R[];
  readonly #channel: number;
  readonly #currency: string;
  readonly #first: number;
  /** Each array begins with 0, and has the running sum after each day. */
  readonly #known: Float64Array;
  readonly #counts: (readonly [name: string, sums: Float64Array])[] = [];
  readonly #amounts: (readonly [name: string, sums: BigInt64Array])[] = [];
  readonly #running: Running;
  /** Each array has the number of each day. */
  readonly #daily: (readonly [name: string, values: Float64Array])[] = [];
  #isExact = true;

  constructor(rows: readonly R[], { counts, amounts, daily = {} }: CondensedColumns<R>) {
    const { first, last } = daysOf(rows);
    this.#rows = rows;
    this.#channel = rows[0]!.channel;
    this.#currency = rows[0]!.currency;
    this.#first = first;
    const length = last - first + 1;
    const countsOf = (of: (row: R) => number) => {
      const sums = new Float64Array(length + 1);
      for (const row of rows) sums[row.day - first + 1]! += of(row);
      for (let index = 1; index <= length; index++) sums[index]! += sums[index - 1]!;
      return sums;
    };
    this.#known = countsOf(() => 1);
    for (const name of counts)
      this.#counts.push([name, countsOf((row) => (row[name] as number | undefined) ?? 0)]);
    for (const name of amounts) {
      const sums = runningSums(rows, name, first, length);
      if (sums === undefined) this.#isExact = false;
      else this.#amounts.push([name, sums]);
    }
    for (const [name, of] of Object.entries(daily)) {
      const values = new Float64Array(length);
      for (const row of rows) values[row.day - first]! += of(row);
      this.#daily.push([name, values]);
    }
    this.#running = Object.fromEntries(this.#amounts);
    if (this.#isExact) this.#rows = [];
  }

  get bytes(): number {
    const arrays = 1 + this.#counts.length + this.#amounts.length + this.#daily.length;
    return bytesPerGroup + arrays * this.#known.length * bytesPerNumber;
  }

  /** The row of these days, if they have any facts. */
  cut(firstDay: number, lastDay: number): readonly (R & Partial<SeveralDays>)[] {
    if (!this.#isExact) return this.#rows.filter(({ day }) => day >= firstDay && day <= lastDay);
    const start = Math.max(0, firstDay - this.#first);
    const end = Math.min(this.#known.length - 1, lastDay - this.#first + 1);
    if (start >= end || this.#known[start] === this.#known[end]) return [];
    const row: Record<string, Row[string]> = {
      channel: this.#channel,
      day: this.#first + start,
      days: end - start,
      offset: start,
      currency: this.#currency,
      running: this.#running,
    };
    for (const [name, sums] of this.#counts) row[name] = sums[end]! - sums[start]!;
    for (const [name, sums] of this.#amounts) row[name] = sums[end]! - sums[start]!;
    for (const [name, values] of this.#daily) row[name] = values;
    return [row as R & SeveralDays];
  }
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
    if (!add(row.day - first + 1, (row as Sums)[name] as bigint)) return undefined;
  for (let index = 1; index <= length; index++) if (!add(index, sums[index - 1]!)) return undefined;
  return sums;
}
