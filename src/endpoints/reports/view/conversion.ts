/**
 * Reads the conversion of a view over all channels, which also shows stores whose currency has no
 * rate.
 */
import type { Channel } from '../../../access/channels.ts';
import type { Conversion, Foreign } from '../../../figures/conversion.ts';
import { readConversion, refuseMissing } from '../../../report/rates.ts';
import type { Context, MissingRate } from '../../handler.ts';

/** Reads the conversion into `currentCurrency`, which is refused if it has no rate. */
export async function readViewConversion(
  { currentCurrency: target }: { readonly currentCurrency: string },
  foreign: Foreign,
  context: Context,
): Promise<Conversion> {
  const conversion = await readConversion(context, { target, ...foreign });
  if (conversion.missing.has(target))
    refuseMissing([target], target, { field: 'currentCurrency', channelOf: () => '' });
  return conversion;
}

/** The stores with amounts in currencies without a rate, one entry for each such currency. */
export function storesWithoutRates(
  channels: readonly Channel[],
  currenciesOf: (channelNumber: number) => Iterable<string>,
): MissingRate[] {
  return channels.flatMap(({ channelNumber, displayName }) =>
    [...new Set(currenciesOf(channelNumber))].map((currency) => ({ store: displayName, currency })),
  );
}
