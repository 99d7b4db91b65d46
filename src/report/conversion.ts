/** Reads the conversion of amounts into the currency of a channel. */
import type { Channel } from '../access/channels.ts';
import { enclosing } from '../calendar/windows.ts';
import type { Ask } from '../engine/warehouse.ts';
import type { ConversionParameters } from '../figures/conversion.ts';
import { purposeOf, readConversion } from './rates.ts';

/** A currency that amounts have, and the first and last date of these amounts. */
export type Dated = { readonly currency: string; readonly first: number; readonly last: number };

/** Reads the parameters that convert amounts in these currencies into the channel's currency. */
export async function readChannelConversion(
  ask: Ask,
  owner: Channel,
  amounts: readonly Dated[],
): Promise<ConversionParameters> {
  const { currency: target } = owner;
  const foreign = amounts.filter(({ currency }) => currency !== target);
  const conversion = await readConversion(ask, {
    target,
    currencies: new Set(foreign.map(({ currency }) => currency)),
    days: enclosing(foreign),
    purpose: purposeOf(owner),
  });
  return conversion.parameters();
}
