/** Exchanges the amounts of facts into one currency, exactly. */
import type { Factor } from './factors.ts';
import { amountPlaces, conversion, convertedPlaces } from './money.ts';

/**
 * The fields of a row of several days, in addition to their sums. A row shares its arrays with all
 * rows cut from the same block: making separate arrays would take longer than everything else.
 */
export type SeveralDays = {
  /** The number of days, beginning with its `day`. */
  readonly days: number;
  /** The position of its first day in arrays by day. */
  readonly offset: number;
  /** The running sums of each amount in millionths, before each day and after the last. */
  readonly running: Running;
};

/** The running sums of each amount. */
export type Running = Readonly<Record<string, BigInt64Array>>;

/** The currency of facts of one day, or of several days beginning with it. */
type Dated = { readonly day: number; readonly currency: string };

/** The currencies other than the target in which some row has an amount in one of these columns. */
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
 * Exchanges amounts of facts in millionths into one currency, with this number of decimal `places`.
 */
export type Exchange = {
  readonly places: number;
  readonly isForeign: (currency: string) => boolean;
  readonly of: (amount: bigint, currency: string, day: number) => bigint;
};

/** The exchange for amounts that are all in the target currency. */
export const noExchange: Exchange = {
  places: amountPlaces,
  isForeign: () => false,
  of: (amount) => amount,
};

/** An amount of facts of one or more days, each day exchanged by its own factor. */
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

/** The exchange into the target by a factor. */
export function exchangeBy(target: string, factor: Factor): Exchange {
  const scale = 10n ** BigInt(convertedPlaces - amountPlaces);
  // Hundreds of amounts share a few factors.
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
