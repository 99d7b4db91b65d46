/** Exchange rates: the European Central Bank's reference rates, crossed through the euro. */
import { monthOfDay } from '../calendar/period.ts';
import { Refusal } from '../contract/refusal.ts';
import { questionFile } from '../engine/question.ts';
import type { Ask, DateRange, QueryLimits } from '../engine/warehouse.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import {
  type Conversion,
  conversionBy,
  type Foreign,
  noConversion,
} from '../figures/conversion.ts';
import { factorBy, monthMeans, type RatesOf, withPegs } from '../figures/factors.ts';
import { anchor, pegs } from '../figures/pegs.ts';

const ratesQuestion = questionFile<{ currency: string; day: number; per_euro: number }>(
  import.meta.url,
  'rates.sql',
);

/**
 * The days before a range that are searched first for the last earlier rate; most days have one.
 */
export const lookBackDays = 40;
/** A range of day numbers that includes every rate. */
export const allDays: DateRange = { first: -25_000, last: 80_000 };

/** The purpose of a conversion, which a refusal states. */
export type Purpose = {
  /**
   * The field in which the request names the target; absent if the target is the channel's
   * currency.
   */
  readonly field?: string;
  /** The channel that has amounts in a currency, or has it as its own currency. */
  readonly channelOf: (currency: string) => string;
};

/** The purpose of a conversion into the currency of a request's only channel. */
export function purposeOf({ channelId }: { readonly channelId: string }, field?: string): Purpose {
  return { ...(field !== undefined && { field }), channelOf: () => channelId };
}

/** The failure of a field that names a currency without exchange rates. */
export function unratedText(field: string, currency: string): string {
  return `${field} must be a currency with exchange rates: there is none of ${currency}`;
}

/** An identifier without commas, which would separate rules. */
function plain(channelId: string): string {
  return channelId.replaceAll(',', '%2C');
}

/** The failures of currencies without exchange rates. */
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

/** Refuses a request that needs rates of currencies that have none. */
export function refuseMissing(missing: readonly string[], target: string, purpose: Purpose): void {
  if (missing.length > 0) throw new Refusal(400, missingRates(missing, target, purpose).join(', '));
}

/** The reader of rates: a view that includes channel 0, or a separate view. */
type RateReader = Ask | { readonly warehouse: CachedWarehouse; readonly limits: QueryLimits };

/** A conversion to read. With a purpose, a currency without exchange rates refuses the request. */
type Wanted = Foreign & {
  readonly target: string;
  readonly purpose?: Purpose;
  /** Whether every day of a month has the mean of the factors of all its days. */
  readonly byMonth?: boolean;
};

/**
 * Reads the rates that a conversion needs, if any. No rule can find a missing rate in advance: only
 * the facts that the answer counts show which currencies have amounts other than 0.
 */
export async function readConversion(
  reader: RateReader,
  { target, purpose, byMonth = false, ...foreign }: Wanted,
): Promise<Conversion> {
  const { currencies, days } = foreign;
  if (currencies.size === 0) return noConversion(target);
  const occurring = [...new Set([target, ...currencies])].filter((currency) => currency !== 'EUR');
  const isAnchored = occurring.some((currency) => pegs.has(currency));
  const range = byMonth
    ? { first: monthOfDay(days.first).firstDay, last: monthOfDay(days.last).lastDay }
    : days;
  const read = (ask: Ask) =>
    readRates(ask, isAnchored ? [...new Set([...occurring, anchor])] : occurring, range);
  const rates = withPegs(
    typeof reader === 'function'
      ? await read(reader)
      : await reader.warehouse.readCached([0], reader.limits, read),
  );
  const missing = occurring.filter((currency) => rates.get(currency)!.days.length === 0);
  if (purpose !== undefined) refuseMissing(missing, target, purpose);
  const factor = factorBy(rates, target);
  const means = byMonth ? monthMeans(factor, target) : factor;
  return conversionBy(target, foreign, means, new Set(missing));
}

/** Reads the rates of currencies that apply to the `days`. */
async function readRates(
  ask: Ask,
  currencies: readonly string[],
  days: DateRange,
): Promise<RatesOf> {
  const rates = new Map<string, { days: number[]; perEuro: number[] }>(
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

const ratedQuestion = questionFile<{ currency: string }>(import.meta.url, 'ratedCurrencies.sql');
/** The currencies known to have rates, which never go away, so each is looked up once. */
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
  const searched = wanted.some((currency) => pegs.has(currency)) ? [...wanted, anchor] : wanted;
  const found = await warehouse.readCached([0], limits, (ask) =>
    ask(ratedQuestion, { channel: 0, currencies: searched }),
  );
  for (const { currency } of found) known.add(currency);
  return new Set(wanted.filter((currency) => !isKnown(currency)));
}
