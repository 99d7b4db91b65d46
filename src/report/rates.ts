/** Exchange rates: the European Central Bank's reference rates, crossed through the euro. */
import { monthOfDay } from '../calendar/period.ts';
import { Refusal } from '../contract/refusal.ts';
import { questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { amountPlaces, conversion, convertedPlaces } from './money.ts';

const ratesQuestion = questionFile<{ currency: string; day: number; per_euro: number }>(
  import.meta.url,
  'rates.sql',
);

/** The factor from a currency to the target on a day: exactly 1 for the target itself. */
export type Factor = (currency: string, day: number) => number;

/** Rates are published on most days; how far back the one that still holds is looked for at first. */
const lookBackDays = 40;
/** Before and after every rate, as day numbers. */
const allDays: DateRange = { first: -25_000, last: 80_000 };

/**
 * Reads the rates that take `currencies` to `target` on the `days`. On a day without a rate the last one before it holds, before the first
 * one the first. A currency without any rate refuses the request.
 */
export async function readFactors(
  ask: Ask,
  currencies: ReadonlySet<string>,
  target: string,
  days: DateRange,
): Promise<Factor> {
  const wanted = [...new Set([...currencies, target])].filter((currency) => currency !== 'EUR');
  const rates = new Map<string, { days: number[]; perEuro: number[] }>(
    wanted.map((currency) => [currency, { days: [], perEuro: [] }]),
  );
  const read = async (wanted: readonly string[], { first, last }: DateRange) => {
    for (const { currency, day, per_euro } of await ask(ratesQuestion, {
      channel: 0,
      currencies: wanted,
      first,
      last,
    })) {
      const held = rates.get(currency)!;
      held.days.push(day);
      held.perEuro.push(per_euro);
    }
  };
  await read(wanted, { first: days.first - lookBackDays, last: days.last });
  const lacking = wanted.filter((currency) => !(rates.get(currency)!.days[0]! <= days.first));
  for (const currency of lacking) rates.set(currency, { days: [], perEuro: [] });
  if (lacking.length > 0) await read(lacking, allDays);
  for (const [currency, { days }] of rates) {
    if (days.length === 0)
      throw new Refusal(
        400,
        `there is no exchange rate of ${currency}: its operator has to import one`,
      );
  }
  const perEuro = (currency: string, day: number): number => {
    if (currency === 'EUR') return 1;
    const { days, perEuro: values } = rates.get(currency)!;
    return values[Math.max(0, lastAtMost(days, day))]!;
  };
  return (currency, day) =>
    currency === target ? 1 : perEuro(target, day) / perEuro(currency, day);
}

/** The currencies other than the target in which any of the rows has an amount, in one of the columns of those names. */
export function foreignCurrencies<Name extends string>(
  target: string,
  rows: readonly ({ readonly currency: string } & { readonly [N in Name]: bigint })[],
  names: readonly Name[],
): Set<string> {
  const foreign = new Set<string>();
  for (const row of rows) {
    if (row.currency !== target && names.some((name) => row[name] !== 0n))
      foreign.add(row.currency);
  }
  return foreign;
}

/**
 * Reads the rates that take `currencies` to `target` in the months of the `days`: the factor of a month is the mean of those of all its days,
 * as `readFactors` gives them, whichever day of it is asked for.
 */
export async function readMonthFactors(
  ask: Ask,
  currencies: ReadonlySet<string>,
  target: string,
  days: DateRange,
): Promise<Factor> {
  const factor = await readFactors(ask, currencies, target, {
    first: monthOfDay(days.first).firstDay,
    last: monthOfDay(days.last).lastDay,
  });
  const means = new Map<string, number>();
  return (currency, day) => {
    if (currency === target) return 1;
    const { firstDay, lastDay } = monthOfDay(day);
    const name = `${currency} ${firstDay}`;
    let mean = means.get(name);
    if (mean === undefined) {
      let sum = 0;
      for (let each = firstDay; each <= lastDay; each++) sum += factor(currency, each);
      // The last digits of the sum are noise, which would take an amount that is half a unit to the wrong side.
      mean = Number((sum / (lastDay - firstDay + 1)).toPrecision(15));
      means.set(name, mean);
    }
    return mean;
  };
}

/** The parameters that the words converted() and unconverted() of a question read. */
export type ConversionParameters = {
  /** The target currency. */
  readonly currency: string;
  /** The currencies to convert from; where there are none, no amount is converted. */
  readonly currencies: readonly string[];
  /** The factors of each currency, day by day, one currency after the other. */
  readonly factors: readonly number[];
  readonly factorsFrom: number;
  readonly factorDays: number;
};

/**
 * The parameters for converting amounts of the `days` from `currencies` to the target. Every
 * foreign currency with an amount other than zero must be among them.
 */
export function conversionParameters(
  target: string,
  currencies: Iterable<string>,
  { first, last }: DateRange,
  factor: Factor,
): ConversionParameters {
  const foreign = [...currencies].filter((currency) => currency !== target);
  const factorDays = last - first + 1;
  const factors = foreign.flatMap((currency) =>
    Array.from({ length: factorDays }, (_, index) => factor(currency, first + index)),
  );
  return { currency: target, currencies: foreign, factors, factorsFrom: first, factorDays };
}

/** The parameters of a question whose amounts are all in the target currency. */
export function noConversion(target: string): ConversionParameters {
  return conversionParameters(target, [], { first: 0, last: 0 }, () => 1);
}

/** Amounts in one currency: those of facts, in millionths, become bigints with so many decimal places. */
export type Exchange = {
  readonly places: number;
  readonly of: (amount: bigint, currency: string, day: number) => bigint;
};

/** Amounts that are in the target already stay as they are. */
export const noExchange: Exchange = { places: amountPlaces, of: (amount) => amount };

/**
 * How facts of the `days` become amounts of the target: `foreign` are the currencies other than it in which there are any. Where there are
 * none the amounts stay as they are; else `read` is called to read the rates.
 */
export async function exchangeInto(
  target: string,
  foreign: ReadonlySet<string>,
  days: DateRange,
  read: (use: (ask: Ask) => Promise<Factor>) => Promise<Factor>,
): Promise<Exchange> {
  if (foreign.size === 0) return noExchange;
  return exchangeBy(target, await read((ask) => readFactors(ask, foreign, target, days)));
}

/** How amounts become amounts of the target by a factor. */
export function exchangeBy(target: string, factor: Factor): Exchange {
  const scale = 10n ** BigInt(convertedPlaces - amountPlaces);
  // Amounts come by the hundreds for few factors.
  const conversions = new Map<number, (amount: bigint) => bigint>();
  const conversionBy = (value: number) => {
    let found = conversions.get(value);
    if (found === undefined) {
      found = conversion(value);
      conversions.set(value, found);
    }
    return found;
  };
  return {
    places: convertedPlaces,
    of: (amount, currency, day) =>
      currency === target || amount === 0n
        ? amount * scale
        : conversionBy(factor(currency, day))(amount),
  };
}

/** The place of the last number that is not above `limit`, -1 when all are. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
