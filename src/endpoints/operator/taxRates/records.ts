import { type Channel, pricesIncludeTax } from '../../../access/channels.ts';
import { change, readOne } from '../../../access/records.ts';
import { isoDate } from '../../../calendar/period.ts';
import { channelLock } from '../../../engine/registry.ts';
import { readTaxRates as ratesOf, settleTaxes } from '../../../import/taxes/settle.ts';
import { unstatedTaxOf } from '../../../import/taxes/unstated.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { always } from './contract.ts';

/** Rates are stored in millionths, and shown in percent. */
const perPercent = 10_000;

/** Replaces the tax rates of a channel, and applies them to its facts. */
export const saveTaxRates: Handler<typeof contracts.saveTaxRates> = async (
  { channelId, taxRates },
  context,
) => {
  const { channelNumber } = await readOne(context.registry.records, 'channel', { channelId });
  const rates = taxRates.map(({ sku = '', effectiveFrom = always, rate }) => ({
    channelNumber,
    sku,
    effectiveFrom,
    rate: Math.round(rate * perPercent),
  }));
  return await context.registry.withLock(channelLock(channelNumber), async () => {
    await change(context, async (transaction, audit) => {
      await transaction.deleteFrom('taxRate').where('channelNumber', '=', channelNumber).execute();
      if (rates.length > 0) await transaction.insertInto('taxRate').values(rates).execute();
      await audit({ action: 'saveTaxRates', subject: channelId, detail: { taxRates } });
    });
    // If this fails, the request can be repeated; the next import of the channel also does it.
    await settleTaxes(context, channelNumber);
    context.invalidate();
    return answerOf(await readOne(context.registry.records, 'channel', { channelId }), context);
  });
};

/** Reads the tax rates of a channel. */
export const readTaxRates: Handler<typeof contracts.readTaxRates> = async (
  { channelId },
  context,
) => answerOf(await readOne(context.registry.records, 'channel', { channelId }), context);

async function answerOf(channel: Channel, { registry }: Pick<Context<'operator'>, 'registry'>) {
  const unstated = unstatedTaxOf(channel);
  const dates = (days: readonly [number, number] | undefined) =>
    days === undefined ? null : { from: isoDate(days[0]), to: isoDate(days[1]) };
  return {
    channelId: channel.channelId,
    pricesIncludeTax: pricesIncludeTax(channel),
    taxRates: (await ratesOf(registry, channel.channelNumber)).map(
      ({ sku, effectiveFrom, rate }) => ({ sku, effectiveFrom, rate: rate / perPercent }),
    ),
    unstated: { orders: dates(unstated.order_line), financeEvents: dates(unstated.finance_event) },
  };
}
