/** Reads the facts of advertisingByChannels: campaign figures, and all sales. */
import type { Channel } from '../../../../access/channels.ts';
import type { Span } from '../../../../calendar/windows.ts';
import { byDay, condensed, questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import type { ValuesOf } from '../../../../figures/columns.ts';
import type { SeveralDays } from '../../../../figures/exchange.ts';
import { summed } from '../../../../figures/sql.ts';
import { condensing } from '../../../../report/condensedDays.ts';
import { readSold, readVendorSold, type Sold, type VendorSold } from '../../../../report/sales.ts';
import { readSearchTermDays, type SearchTermDay } from '../../../../report/searchTermDays.ts';
import type { Context, Handler } from '../../../handler.ts';
import type { viewAdvertisingByChannels as contract } from '../contract.ts';
import { type CampaignColumn, campaignColumns } from './columns.ts';

/** Facts of a channel and currency, for one or more days. */
export type OfChannel = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
} & Partial<SeveralDays>;
type AdvertisingDay = OfChannel & Readonly<ValuesOf<CampaignColumn>>;
/** All sales of a channel, from its orders or the marketplace's figures. */
type Sale = OfChannel & { readonly total_sales: bigint };

const namesOf = (isAmount: boolean) =>
  campaignColumns.filter(({ type }) => (type === 'amount') === isAmount).map(({ name }) => name);
const advertisingDays = condensed(
  byDay(
    questionFile<AdvertisingDay>(import.meta.url, 'advertisingByChannels.sql', {
      sums: summed(campaignColumns),
    }),
  ),
  condensing<AdvertisingDay>({ counts: namesOf(false), amounts: namesOf(true) }),
);

/** The fields of a request. */
export type Input = Parameters<Handler<typeof contract>>[0];
/** The facts of a window. */
export type Facts = {
  readonly advertising: readonly AdvertisingDay[];
  readonly sold: readonly Sold[];
  readonly vendorSold: readonly VendorSold[];
  readonly searchTermDays: readonly SearchTermDay[];
};

const noFacts: Facts = { advertising: [], sold: [], vendorSold: [], searchTermDays: [] };

/** Reads the facts of each window, all from one snapshot. */
export async function readFacts(
  { reportOptions }: Input,
  { warehouse, limits }: Context,
  channels: Channel[],
  windows: Span[],
): Promise<Facts[]> {
  const numbersOf = (kind: Channel['kind']) =>
    channels.filter((channel) => channel.kind === kind).map((channel) => channel.channelNumber);
  const stores = channels.filter(({ kind }) => kind === 'seller');
  const vendors = numbersOf('vendor');
  const all = [...numbersOf('seller'), ...vendors];
  if (all.length === 0) return windows.map(() => ({ ...noFacts }));
  return warehouse.readCached(all, limits, async (ask: Ask) => {
    const sold =
      stores.length > 0
        ? await readSold(ask, stores, reportOptions.timezone, windows, { inBlocks: true })
        : [];
    const facts: Facts[] = [];
    for (const [index, { first, last }] of windows.entries()) {
      const advertising = await ask(advertisingDays, { channels: all, first, last });
      const vendorSold = await readVendorSold(ask, vendors, { first, last });
      const searchTermDays = await readSearchTermDays(ask, all, { first, last });
      facts.push({ advertising, sold: sold[index] ?? [], vendorSold, searchTermDays });
    }
    return facts;
  });
}

/** The facts of some channels. */
export function factsOf(facts: readonly Facts[], channels: readonly Channel[]): Facts[] {
  const numbers = new Set(channels.map(({ channelNumber }) => channelNumber));
  return facts.map((one) => matching(one, ({ channel }) => numbers.has(channel)));
}

/** The facts for which `isWanted` holds. */
export function matching(facts: Facts, isWanted: (row: OfChannel) => boolean): Facts {
  const { advertising, sold, vendorSold } = facts;
  return {
    ...facts,
    advertising: advertising.filter(isWanted),
    sold: sold.filter(isWanted),
    vendorSold: vendorSold.filter(isWanted),
  };
}

/** The sales of channels as the request counts them. */
export function salesOf({ sold, vendorSold }: Facts, input: Input): Sale[] {
  const { vendorRevenueType } = input;
  return [
    ...sold.map((one) => saleOf(one, input)),
    ...vendorSold.map(({ channel, day, currency, ordered_revenue, shipped_revenue }) => ({
      channel,
      day,
      currency,
      total_sales: vendorRevenueType === 'orderedRevenue' ? ordered_revenue : shipped_revenue,
    })),
  ];
}

/** All sales of a seller channel; only sales in another currency are needed day by day. */
function saleOf(sold: Sold, { includeTax, currentCurrency }: Input): Sale {
  const { channel, day, days, offset, currency, item_price, item_tax, running } = sold;
  const total_sales = includeTax ? item_price + item_tax : item_price;
  const sale = { channel, day, currency, total_sales };
  if (currency === currentCurrency || days === undefined) return sale;
  const { item_price: prices, item_tax: taxes } = running!;
  const sums = includeTax ? prices!.map((sum, index) => sum + taxes![index]!) : prices!;
  return { ...sale, days, offset: offset!, running: { total_sales: sums } };
}
