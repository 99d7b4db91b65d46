/** The conversion of amounts into the currency of an answer. */
import type { DateRange } from '../calendar/period.ts';
import { type Exchange, exchangeBy, noExchange } from './exchange.ts';
import type { Factor, FactorOf } from './factors.ts';

/** A conversion in the form that each kind of arithmetic takes. */
export type Conversion = {
  /** The factors of all its currencies except the `missing` ones. */
  readonly factor: Factor;
  readonly factorOf: FactorOf;
  /** The exchange of exact amounts; `noExchange` if no amount is foreign. */
  readonly exchange: Exchange;
  /** The parameters for questions, for all its currencies or some of them. */
  readonly parameters: (currencies?: Iterable<string>) => ConversionParameters;
  /** The currencies without any rate; possibly the target itself. */
  readonly missing: ReadonlySet<string>;
};

/** The amounts to convert: their currencies, other than the target, and the days that have them. */
export type Foreign = { readonly currencies: ReadonlySet<string>; readonly days: DateRange };

/** The parameters of the functions converted() and unconverted() in questions. */
export type ConversionParameters = {
  /** The target currency. */
  readonly currency: string;
  /** The currencies to convert from; if there are none, no amount is converted. */
  readonly currencies: readonly string[];
  /** The factors of each currency day by day, one currency after another. */
  readonly factors: readonly number[];
  readonly factorsFrom: number;
  readonly factorDays: number;
};

/**
 * The parameters for converting amounts on the `days` from `currencies` to the target. They must
 * include every foreign currency with an amount other than zero.
 */
function conversionParameters(
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

/** The conversion for amounts that are all in the target currency. */
export function noConversion(target: string): Conversion {
  return {
    factor: () => 1,
    factorOf: () => undefined,
    exchange: noExchange,
    parameters: () => conversionParameters(target, [], { first: 0, last: 0 }, () => 1),
    missing: new Set(),
  };
}

/** The conversion of foreign amounts into the target, by a factor. */
export function conversionBy(
  target: string,
  { currencies, days }: Foreign,
  factor: Factor,
  missing: ReadonlySet<string>,
): Conversion {
  return {
    factor,
    factorOf: (currency, day) => (currency === target ? undefined : factor(currency, day)),
    exchange: exchangeBy(target, factor),
    parameters: (some = currencies) => conversionParameters(target, some, days, factor),
    missing,
  };
}
