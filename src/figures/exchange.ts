/** Amounts of facts in one currency, exact. */
import type { Factor } from './factors.ts';
import { amountPlaces, conversion, convertedPlaces } from './money.ts';

/** The currencies other than the target in which a row has an amount in one of these columns. */
export function foreignCurrencies<Name extends string>(
  target: string,
  rows: readonly ({ readonly currency: string } & { readonly [N in Name]: bigint })[],
  names: readonly Name[],
): Set<string> {
  const foreign = new Set<string>();
  for (const row of rows) {
    const { currency } = row;
    if (currency !== target && !foreign.has(currency) && names.some((name) => row[name] !== 0n))
      foreign.add(currency);
  }
  return foreign;
}

/** Exchanges amounts of facts, in millionths, into one currency, with so many decimal places. */
export type Exchange = {
  readonly places: number;
  readonly isForeign: (currency: string) => boolean;
  readonly of: (amount: bigint, currency: string, day: number) => bigint;
  /** The same of an amount that is a number where a double represents it exactly. */
  readonly whole: (amount: number | bigint, currency: string, day: number) => number | bigint;
};

/** The exchange of amounts that are all in the target currency. */
export const noExchange: Exchange = {
  places: amountPlaces,
  isForeign: () => false,
  of: (amount) => amount,
  whole: (amount) => amount,
};

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
  const of = (amount: bigint, currency: string, day: number) =>
    currency === target || amount === 0n
      ? amount * scale
      : conversionBy(factor(currency, day))(amount);
  return {
    places: convertedPlaces,
    isForeign: (currency) => currency !== target,
    of,
    whole: (amount, currency, day) => of(BigInt(amount), currency, day),
  };
}
