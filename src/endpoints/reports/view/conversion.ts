/** The conversion of a view over all channels, which shows stores whose currency has no rate. */
import type { Channel } from '../../../access/channels.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import { type Factor, missingRates, readKnownFactors } from '../../../report/rates.ts';
import type { Context, MissingRate } from '../../handler.ts';

/** The factors into the currency of the view, and the currencies that have none. */
export type Conversion = { readonly factor: Factor; readonly missing: ReadonlySet<string> };

/** Reads the factors from currencies to `currentCurrency`, which is refused if it has no rate. */
export async function readConversion(
  { currentCurrency: target }: { readonly currentCurrency: string },
  foreign: ReadonlySet<string>,
  days: DateRange,
  { warehouse, limits }: Context,
): Promise<Conversion> {
  if (foreign.size === 0) return { factor: () => 1, missing: new Set() };
  const { factor, missing } = await warehouse.readCached([0], limits, (ask) =>
    readKnownFactors(ask, foreign, target, days),
  );
  if (missing.includes(target)) {
    const purpose = { field: 'currentCurrency', channelOf: () => '' };
    throw new Refusal(400, missingRates([target], target, purpose).join(', '));
  }
  return { factor, missing: new Set(missing) };
}

/** The stores with amounts in currencies without a rate, by each such currency. */
export function storesWithoutRates(
  channels: readonly Channel[],
  currenciesOf: (channelNumber: number) => Iterable<string>,
): MissingRate[] {
  return channels.flatMap(({ channelNumber, displayName }) =>
    [...new Set(currenciesOf(channelNumber))].map((currency) => ({ store: displayName, currency })),
  );
}
