/** The factors between currencies, crossed through the euro. */
import { type DateRange, type DayNumber, monthOfDay } from '../calendar/period.ts';
import { anchor, pegs } from './pegs.ts';

/** The factor from a currency to the target on a day: exactly 1 for the target itself. */
export type Factor = (currency: string, day: DayNumber) => number;

/** The factor from a currency to the target on a day; undefined for the target itself. */
export type FactorOf = (currency: string, day: DayNumber) => number | undefined;

/** The published rates of a currency: units per euro, by day in ascending order. */
export type Rates = { readonly days: readonly number[]; readonly perEuro: readonly number[] };

/** Rates by currency. */
export type RatesOf = ReadonlyMap<string, Rates>;

/** The rates, including pegged currencies: they follow the dollar until their own first rate. */
export function withPegs(rates: RatesOf): RatesOf {
  return new Map(
    [...rates].map(([currency, own]) => [
      currency,
      pegs.has(currency) ? peggedRates(rates.get(anchor)!, currency, own) : own,
    ]),
  );
}

function peggedRates({ days, perEuro }: Rates, currency: string, own: Rates): Rates {
  const count = own.days.length === 0 ? days.length : lastUpTo(days, own.days[0]! - 1) + 1;
  const { perDollar } = pegs.get(currency)!;
  return {
    days: [...days.slice(0, count), ...own.days],
    perEuro: [...perEuro.slice(0, count).map((rate) => rate * perDollar), ...own.perEuro],
  };
}

/**
 * The factors to a target by the rates of all currencies except the euro. A day without a rate
 * takes the last rate before it; a day before every rate takes the first.
 */
export function factorBy(rates: RatesOf, target: string): Factor {
  const perEuro = (currency: string, day: DayNumber): number => {
    if (currency === 'EUR') return 1;
    const { days, perEuro: values } = rates.get(currency)!;
    return values[Math.max(0, lastUpTo(days, day))]!;
  };
  return (currency, day) =>
    currency === target ? 1 : perEuro(target, day) / perEuro(currency, day);
}

/** The factors by month: every day of a month has the mean of the factors of all its days. */
export function monthMeans(factor: Factor, target: string): Factor {
  const means = new Map<string, number>();
  return (currency, day) => {
    if (currency === target) return 1;
    const { firstDay, lastDay } = monthOfDay(day);
    const name = `${currency} ${firstDay}`;
    let mean = means.get(name);
    if (mean === undefined) {
      let sum = 0;
      for (let each = firstDay; each <= lastDay; each++) sum += factor(currency, each);
      // The last digits of the sum are noise, which could round a half the wrong way.
      mean = Number((sum / (lastDay - firstDay + 1)).toPrecision(15));
      means.set(name, mean);
    }
    return mean;
  };
}

/** The factors of a range of days in tables, for facts of many days. */
export type FactorTable = {
  readonly of: Factor;
  /** The sum of the factors from the first to the last day. */
  readonly sum: (currency: string, first: number, last: number) => number;
};

/** Tabulates factors over a range of days, once for each currency that is used. */
export function factorTable(factor: Factor, { first, last }: DateRange): FactorTable {
  const length = Math.max(0, last - first + 1);
  const tables = new Map<string, { readonly days: Float64Array; readonly sums: Float64Array }>();
  const tableOf = (currency: string) => {
    let table = tables.get(currency);
    if (table === undefined) {
      table = { days: new Float64Array(length), sums: new Float64Array(length + 1) };
      for (let index = 0; index < length; index++) {
        table.days[index] = factor(currency, first + index);
        table.sums[index + 1] = table.sums[index]! + table.days[index]!;
      }
      tables.set(currency, table);
    }
    return table;
  };
  return {
    of: (currency, day) => tableOf(currency).days[day - first]!,
    sum(currency, from, to) {
      const { sums } = tableOf(currency);
      return sums[to - first + 1]! - sums[from - first]!;
    },
  };
}

/** The index of the last number up to `limit`; -1 if all are above it. */
function lastUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
