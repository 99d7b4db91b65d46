/** Exchange rates: the European Central Bank's reference rates, crossed through the euro. */
import { monthOfDay } from '../calendar/period.ts';
import { Refusal } from '../contract/refusal.ts';
import { questionFile } from '../engine/question.ts';
import type { Ask, DateRange, QueryLimits } from '../engine/warehouse.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import type { SeveralDays } from './condensedDays.ts';
import { amountPlaces, conversion, convertedPlaces } from './money.ts';
import { anchor, pegs } from './pegs.ts';

const ratesQuestion = questionFile<{ currency: string; day: number; per_euro: number }>(
  import.meta.url,
  'rates.sql',
);

/** The factor from a currency to the target on a day: exactly 1 for the target itself. */
export type Factor = (currency: string, day: number) => number;

/** The first look for the last rate before a range goes back so far; rates come on most days. */
export const lookBackDays = 40;
/** A range of day numbers that holds every rate. */
export const allDays: DateRange = { first: -25_000, last: 80_000 };

/** Who needs a conversion; a refusal says so. */
export type Purpose = {
  /** The field in which the request names the target; absent where it is the channel's currency. */
  readonly field?: string;
  /** The channel that has amounts in a currency, or the currency as its own. */
  readonly channelOf: (currency: string) => string;
};

/** The purpose of a conversion into the currency of the one channel that a request is about. */
export function purposeOf({ channelId }: { readonly channelId: string }, field?: string): Purpose {
  return { ...(field !== undefined && { field }), channelOf: () => channelId };
}

/** The failure of a field that names a currency without any rate. */
export function unratedText(field: string, currency: string): string {
  return `${field} must be a currency with exchange rates: there is none of ${currency}`;
}

/** An identifier without commas, which would separate rules. */
function plain(channelId: string): string {
  return channelId.replaceAll(',', '%2C');
}

/** The failures of currencies without any rate. */
export function missingRates(
  missing: readonly string[],
  target: string,
  { field, channelOf }: Purpose,
): string[] {
  return missing.map((currency) =>
    currency === target && field !== undefined
      ? unratedText(field, currency)
      : `there is no exchange rate of ${currency} which channelId ${plain(channelOf(currency))} needs: ` +
        'the operator of the service has to import one',
  );
}

/**
 * As `readKnownFactors`, but a currency without any rate refuses the request. Where no rule can say
 * so before, the facts that the answer counts show which currencies have amounts other than 0.
 */
export async function readFactors(
  ask: Ask,
  currencies: ReadonlySet<string>,
  target: string,
  days: DateRange,
  purpose: Purpose,
): Promise<Factor> {
  const { factor, missing } = await readKnownFactors(ask, currencies, target, days);
  refuseMissing(missing, target, purpose);
  return factor;
}

/** Refuses a request that needs rates of currencies without any. */
export function refuseMissing(missing: readonly string[], target: string, purpose: Purpose): void {
  if (missing.length > 0) throw new Refusal(400, missingRates(missing, target, purpose).join(', '));
}

/** The factors of a conversion; those of the `missing` currencies must not be asked for. */
type KnownFactors = { readonly factor: Factor; readonly missing: readonly string[] };

type Rates = { readonly days: number[]; readonly perEuro: number[] };

/**
 * Reads the factors from `currencies` to `target` on the `days`. A day without a rate has the last
 * rate before it, a day before every rate the first one. A pegged currency follows the dollar until
 * the first rate of its own. Currencies without any rate are missing.
 */
export async function readKnownFactors(
  ask: Ask,
  currencies: ReadonlySet<string>,
  target: string,
  days: DateRange,
): Promise<KnownFactors> {
  const occurring = [...new Set([target, ...currencies])].filter((currency) => currency !== 'EUR');
  const anchored = occurring.some((currency) => pegs.has(currency));
  const rates = await readRates(ask, anchored ? [...occurring, anchor] : occurring, days);
  for (const currency of occurring) {
    const peg = pegs.get(currency);
    if (peg === undefined) continue;
    const own = rates.get(currency)!;
    const { days, perEuro } = rates.get(anchor)!;
    const count = own.days.length === 0 ? days.length : lastUpTo(days, own.days[0]! - 1) + 1;
    const pegged = perEuro.slice(0, count).map((rate) => rate * peg.perDollar);
    rates.set(currency, {
      days: [...days.slice(0, count), ...own.days],
      perEuro: [...pegged, ...own.perEuro],
    });
  }
  const perEuro = (currency: string, day: number): number => {
    if (currency === 'EUR') return 1;
    const { days, perEuro: values } = rates.get(currency)!;
    return values[Math.max(0, lastUpTo(days, day))]!;
  };
  return {
    factor: (currency, day) =>
      currency === target ? 1 : perEuro(target, day) / perEuro(currency, day),
    missing: occurring.filter((currency) => rates.get(currency)!.days.length === 0),
  };
}

/** Reads the rates of currencies that apply to the `days`. */
async function readRates(
  ask: Ask,
  currencies: readonly string[],
  days: DateRange,
): Promise<Map<string, Rates>> {
  const rates = new Map<string, Rates>(
    currencies.map((currency) => [currency, { days: [], perEuro: [] }]),
  );
  const read = async (wanted: readonly string[], { first, last }: DateRange) => {
    for (const { currency, day, per_euro } of await ask(ratesQuestion, {
      channel: 0,
      currencies: wanted,
      first,
      last,
    })) {
      const known = rates.get(currency)!;
      known.days.push(day);
      known.perEuro.push(per_euro);
    }
  };
  await read(currencies, { first: days.first - lookBackDays, last: days.last });
  const late = currencies.filter((currency) => !(rates.get(currency)!.days[0]! <= days.first));
  for (const currency of late) rates.set(currency, { days: [], perEuro: [] });
  if (late.length > 0) await read(late, allDays);
  return rates;
}

/** The factors of a range of days in tables, for facts of many days. */
export type FactorTable = {
  readonly of: Factor;
  /** The sum of the factors from the first to the last day. */
  readonly sum: (currency: string, first: number, last: number) => number;
};

/** Tabulates factors over a range of days, once for each currency that is asked for. */
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

const ratedQuestion = questionFile<{ currency: string }>(import.meta.url, 'ratedCurrencies.sql');
/** A currency that has rates keeps them, so each is looked up once. */
const rated = new WeakMap<CachedWarehouse, Set<string>>();

/** The currencies that have no exchange rate at all; the euro needs none. */
export async function currenciesWithoutRates(
  warehouse: CachedWarehouse,
  currencies: ReadonlySet<string>,
  limits: QueryLimits,
): Promise<Set<string>> {
  const known = rated.get(warehouse) ?? new Set(['EUR']);
  rated.set(warehouse, known);
  const isKnown = (currency: string) =>
    known.has(currency) || (pegs.has(currency) && known.has(anchor));
  const wanted = [...currencies].filter((currency) => !isKnown(currency));
  if (wanted.length === 0) return new Set();
  const asked = wanted.some((currency) => pegs.has(currency)) ? [...wanted, anchor] : wanted;
  const found = await warehouse.readCached([0], limits, (ask) =>
    ask(ratedQuestion, { channel: 0, currencies: asked }),
  );
  for (const { currency } of found) known.add(currency);
  return new Set(wanted.filter((currency) => !isKnown(currency)));
}

/** The currency of facts of one day, or of several from that day on. */
type Dated = { readonly day: number; readonly currency: string };

/** The currencies other than the target in which a row has an amount in one of these columns. */
export function foreignCurrencies<Name extends string>(
  target: string,
  rows: readonly ({ readonly currency: string } & Partial<SeveralDays> & {
      readonly [N in Name]: bigint;
    })[],
  names: readonly Name[],
): Set<string> {
  const foreign = new Set<string>();
  for (const row of rows) {
    const { currency } = row;
    if (currency !== target && !foreign.has(currency) && names.some((name) => hasAmount(row, name)))
      foreign.add(currency);
  }
  return foreign;
}

/** Whether facts have an amount on any of their days. */
export function hasAmount<Name extends string>(
  row: Partial<SeveralDays> & { readonly [N in Name]: bigint },
  name: Name,
): boolean {
  if (row[name] !== 0n) return true;
  const { days = 0, offset = 0, running } = row;
  const sums = running?.[name];
  for (let index = 1; index <= days; index++)
    if (sums![offset + index] !== sums![offset]) return true;
  return false;
}

/**
 * Reads the factors from `currencies` to `target` by months: every day of a month has the mean of
 * the factors of all its days.
 */
export async function readMonthFactors(
  ask: Ask,
  currencies: ReadonlySet<string>,
  target: string,
  days: DateRange,
  purpose: Purpose,
): Promise<Factor> {
  const months = { first: monthOfDay(days.first).firstDay, last: monthOfDay(days.last).lastDay };
  const factor = await readFactors(ask, currencies, target, months, purpose);
  const means = new Map<string, number>();
  return (currency, day) => {
    if (currency === target) return 1;
    const { firstDay, lastDay } = monthOfDay(day);
    const name = `${currency} ${firstDay}`;
    let mean = means.get(name);
    if (mean === undefined) {
      let sum = 0;
      for (let each = firstDay; each <= lastDay; each++) sum += factor(currency, each);
      // The last digits of the sum are noise, which could round half a unit the wrong way.
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

/** Exchanges amounts of facts, in millionths, into one currency, with so many decimal places. */
export type Exchange = {
  readonly places: number;
  readonly isForeign: (currency: string) => boolean;
  readonly of: (amount: bigint, currency: string, day: number) => bigint;
};

/** The exchange of amounts that are all in the target currency. */
export const noExchange: Exchange = {
  places: amountPlaces,
  isForeign: () => false,
  of: (amount) => amount,
};

/** An amount of facts of one or of several days, each exchanged by its own day. */
export function exchangedAmount(
  { day, days = 1, offset = 0, currency, running }: Dated & Partial<SeveralDays>,
  name: string,
  amount: bigint,
  exchange: Exchange,
): bigint {
  if (running === undefined || !exchange.isForeign(currency))
    return exchange.of(amount, currency, day);
  const sums = running[name]!;
  let exchanged = 0n;
  for (let index = 0; index < days; index++) {
    const place = offset + index;
    exchanged += exchange.of(sums[place + 1]! - sums[place]!, currency, day + index);
  }
  return exchanged;
}

/**
 * The exchange into the target of facts of the `days`, which have amounts in the `foreign`
 * currencies. Only where there are any does it use `read` to read the rates.
 */
export async function exchangeInto(
  target: string,
  foreign: ReadonlySet<string>,
  days: DateRange,
  purpose: Purpose,
  read: (use: (ask: Ask) => Promise<Factor>) => Promise<Factor>,
): Promise<Exchange> {
  if (foreign.size === 0) return noExchange;
  return exchangeBy(target, await read((ask) => readFactors(ask, foreign, target, days, purpose)));
}

/** The exchange into the target by a factor. */
export function exchangeBy(target: string, factor: Factor): Exchange {
  const scale = 10n ** BigInt(convertedPlaces - amountPlaces);
  // Hundreds of amounts share few factors.
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
    isForeign: (currency) => currency !== target,
    of: (amount, currency, day) =>
      currency === target || amount === 0n
        ? amount * scale
        : conversionBy(factor(currency, day))(amount),
  };
}

/** The index of the last number that is not above `limit`, -1 where all are. */
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
