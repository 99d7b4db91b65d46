/** The conversion of amounts into the currency of a channel. */
import type { Channel } from '../access/channels.ts';
import type { Ask } from '../engine/warehouse.ts';
import {
  type ConversionParameters,
  conversionParameters,
  noConversion,
  purposeOf,
  readFactors,
} from './rates.ts';

/** A currency in which there are amounts, and their first and last date. */
export type Dated = { readonly currency: string; readonly first: number; readonly last: number };

/** The conversion of amounts in these currencies into that of the channel. */
export async function readConversion(
  ask: Ask,
  owner: Channel,
  amounts: readonly Dated[],
): Promise<ConversionParameters> {
  const { currency } = owner;
  const foreign = amounts.filter((one) => one.currency !== currency);
  if (foreign.length === 0) return noConversion(currency);
  const days = {
    first: Math.min(...foreign.map(({ first }) => first)),
    last: Math.max(...foreign.map(({ last }) => last)),
  };
  const currencies = new Set(foreign.map((one) => one.currency));
  const factor = await readFactors(ask, currencies, currency, days, purposeOf(owner));
  return conversionParameters(currency, currencies, days, factor);
}
