/** The facts of advertisingByChannels: figures of campaigns, and all sales. */
import type { Channel } from '../../../../access/channels.ts';
import type { Span } from '../../../../calendar/windows.ts';
import { questionFile } from '../../../../engine/question.ts';
import { daySource, tableColumns } from '../../../../engine/segments/daySource.ts';
import type { DayTable } from '../../../../engine/segments/dayTable.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { plus } from '../../../../figures/cells.ts';
import { summed } from '../../../../figures/sql.ts';
import { vendorDay, vendorRevenueColumn } from '../../../../report/sales.ts';
import { readSearchTermDays, type SearchTermDay } from '../../../../report/searchTermDays.ts';
import { eachInSlices } from '../../../../report/slices.ts';
import { eachSold, readSold, type SoldFacts } from '../../../../report/soldDays.ts';
import type { Context, Handler } from '../../../handler.ts';
import type { viewAdvertisingByChannels as contract } from '../contract.ts';
import { campaignColumns } from './columns.ts';

const advertisingDays = daySource(
  questionFile(import.meta.url, 'advertisingByChannels.sql', { sums: summed(campaignColumns) }),
  { texts: ['currency'], ...tableColumns(campaignColumns) },
);

/** The fields of a request. */
export type Input = Parameters<Handler<typeof contract>>[0];
/** The facts of a window. */
export type Facts = {
  readonly window: DateRange;
  readonly advertising: readonly DayTable[];
  readonly sold: SoldFacts;
  readonly vendors: readonly DayTable[];
  readonly searchTermDays: readonly SearchTermDay[];
};

/** Reads the facts of each window, all of one snapshot. */
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
  return warehouse.readCached(all, limits, async (ask) => {
    const sold = await readSold(ask, stores, reportOptions.timezone, windows);
    const facts: Facts[] = [];
    for (const [index, window] of windows.entries())
      facts.push({
        window,
        advertising: await ask.days(advertisingDays, all, window),
        sold: sold[index]!,
        vendors: await ask.days(vendorDay, vendors, window),
        searchTermDays: await readSearchTermDays(ask, all, window),
      });
    return facts;
  });
}

/** The facts of some channels. */
export function factsOf(facts: readonly Facts[], channels: readonly Channel[]): Facts[] {
  const numbers = new Set(channels.map(({ channelNumber }) => channelNumber));
  const isOfThese = ({ channel }: { readonly channel: number }) => numbers.has(channel);
  return facts.map(({ advertising, sold, vendors, ...others }) => ({
    ...others,
    advertising: advertising.filter(isOfThese),
    sold: { ...sold, parts: sold.parts.filter(({ table }) => isOfThese(table)) },
    vendors: vendors.filter(isOfThese),
  }));
}

/**
 * An amount of sales of a channel in millionths: of a day or, in the currency of the answer, of
 * several days from that day on.
 */
type Sale = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly amount: number | bigint;
};

/**
 * Takes the sales of channels as they are counted, from orders or the marketplace's figures: of the
 * tables that are wanted.
 */
export async function eachSale(
  { sold, vendors, window }: Facts,
  { includeTax, vendorRevenueType, currentCurrency: target }: Input,
  take: (sale: Sale) => void,
  isWanted: (table: DayTable) => boolean = () => true,
): Promise<void> {
  await eachSold(
    sold,
    target,
    ({ channel, day, currency, price, tax }) =>
      take({ channel, day, currency, amount: includeTax ? plus(price, tax) : price }),
    isWanted,
  );
  await eachInSlices(vendors.filter(isWanted), (table) => {
    const { channel } = table;
    const revenue = table.numbers(vendorRevenueColumn(vendorRevenueType));
    const currencies = table.texts('currency');
    const [start, end] = table.rowsOf(window);
    if (table.isIn(target) && start < end) {
      const amount = revenue.sum(start, end);
      take({ channel, day: table.days[start]!, currency: target, amount });
      return 1;
    }
    for (let row = start; row < end; row++) {
      const currency = currencies.at(row);
      take({ channel, day: table.days[row]!, currency, amount: revenue.at(row) });
    }
    return end - start;
  });
}
