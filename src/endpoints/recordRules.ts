/** Record rules that several operations share. */

import type { Caller, Channel, ChannelLookup } from '../access/channels.ts';
import { findOne } from '../access/records.ts';
import type { Registry } from '../engine/registry.ts';
import type { QueryLimits } from '../engine/warehouse.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import { datasets } from '../import/datasets/datasets.ts';
import { currenciesWithoutRates, unratedText } from '../report/rates.ts';
import type { RecordRule } from './handler.ts';

/** A rule about the channel that a request names: `textOf` returns its failure. */
export function channelRule(
  textOf: (channel: Channel) => string | undefined,
): RecordRule<unknown, { readonly channel: Channel }> {
  return {
    at: 'channelId',
    reads: ['merchantId'],
    check: (_input, { channel }) => textOf(channel),
  };
}

/** The failure of a channel that has no profit and loss; `names` begins the sentence. */
export function sellerText(names: string, { kind }: Pick<Channel, 'kind'>): string | undefined {
  return kind === 'vendor' ? `${names}: vendor channels have no profit and loss` : undefined;
}

/** The rule that a channel has a profit and loss. */
export const sellerRule = channelRule((channel) =>
  sellerText('channelId must be a seller channel', channel),
);

/** The failure of a list of channels, given the channels within reach that were found. */
export function sellersText(
  list: string,
  named: ReadonlySet<string>,
  reachable: readonly Channel[],
): string | undefined {
  const found = reachable.filter((one) => named.has(one.channelId));
  if (found.length < named.size) return `${list} must name connected stores`;
  return found
    .map((one) => sellerText(`${list} must name seller channels`, one))
    .find((text) => text !== undefined);
}

type CurrencyContext = {
  readonly caller: Caller;
  readonly channels: Pick<ChannelLookup, 'all'>;
  readonly warehouse: CachedWarehouse;
  readonly limits: QueryLimits;
};

/**
 * The rule that a currency has exchange rates, or belongs to one of the caller's channels, whose
 * amounts need none.
 */
export function currencyRule<Name extends string>(
  name: Name,
): RecordRule<{ readonly [N in Name]: string }, CurrencyContext> {
  return {
    at: name,
    async check({ [name]: currency }, { caller, channels, warehouse, limits }) {
      const unrated = await currenciesWithoutRates(warehouse, new Set([currency]), limits);
      if (unrated.size === 0) return undefined;
      const own = await channels.all(caller);
      return own.some((channel) => channel.currency === currency)
        ? undefined
        : unratedText(name, currency);
    },
  };
}

/** The rule that an organisation exists. */
export const organisationRule: RecordRule<
  { readonly organisationId: string },
  { readonly registry: Registry }
> = {
  at: 'organisationId',
  async check({ organisationId }, { registry }) {
    const found = await findOne(registry.records, 'organisation', { organisationId });
    return found === undefined ? 'organisationId must be that of an organisation' : undefined;
  },
};

/**
 * The rule that requests name a channel for a dataset of channels, and none for any other dataset.
 */
export const datasetChannelRule: RecordRule<
  { readonly dataset: string; readonly channelId?: string },
  unknown
> = {
  at: 'channelId',
  reads: ['dataset'],
  check({ dataset, channelId }) {
    const ofChannel = datasets[dataset]?.ofChannel ?? true;
    if (ofChannel && channelId === undefined) return 'channelId is required';
    return !ofChannel && channelId !== undefined
      ? `channelId must be absent: ${dataset} belong to no channel`
      : undefined;
  },
};
