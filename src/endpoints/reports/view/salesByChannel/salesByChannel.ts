/** Sales, targets, stock and buy box of every channel within reach, in one currency. */

import type { Channel } from '../../../../access/channels.ts';
import {
  enclosing,
  type Span,
  spansOf,
  type Window,
  windowsOf,
} from '../../../../calendar/windows.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { factorTable } from '../../../../figures/factors.ts';
import { readOrderCounts } from '../../../../report/orderCounts.ts';
import { extentOf, vendorDay } from '../../../../report/sales.ts';
import { readSold, soldDays } from '../../../../report/soldDays.ts';
import { readTargetRows, type TargetRow } from '../../../../report/targets.ts';
import type { Context, Handler } from '../../../handler.ts';
import { unstatedTaxIn } from '../../../unstatedTax.ts';
import { readViewConversion, storesWithoutRates } from '../conversion.ts';
import { viewedChannels } from '../viewedChannels.ts';
import { readBuckets } from './buckets.ts';
import type { viewSalesByChannel as contract, SalesByChannelRow } from './contract.ts';
import { byFigure, rowsOf, writtenRow } from './rows.ts';
import { readSnapshots, type Snapshots } from './snapshots.ts';
import { type Facts, foreignSales, type Pricing, sumsByChannel } from './sums.ts';
import { targetDays, targetsByChannel } from './targets.ts';

type Input = Parameters<Handler<typeof contract>>[0];

/** All that is read for an answer; the facts are those of the period and of the prior one. */
type Read = {
  readonly facts: readonly [Facts, Facts];
  readonly targets: readonly TargetRow[];
  readonly snapshots: Snapshots;
};

/** Answers POST /reports/view/salesByChannel. */
export const viewSalesByChannel: Handler<typeof contract> = async (input, context) => {
  const { sortKey, sortOrder, pageIndex, pageSize } = input;
  const channels = await viewedChannels(input, context);
  const windows = spansOf(input) as [Span, Span];
  const read = await readAll(input, context, channels, windows);
  const pricing = await pricingOf(input, context, channels, read, windows[0]);
  const current = await sumsByChannel(read.facts[0], input, pricing);
  const prior = await sumsByChannel(read.facts[1], input, pricing);
  const targets = targetsByChannel(channels, read.targets, windows[0], pricing);
  const rows = rowsOf(channels, pricing.currency, { current, prior, targets, ...read.snapshots });
  const unrated = (channel: number) =>
    [current, prior, targets].flatMap((by) => by.get(channel)?.unrated ?? []);
  context.warn([
    ...storesWithoutRates(channels, unrated),
    ...(input.includeTax ? [] : unstatedTaxIn(channels, 'order_line', input)),
  ]);
  const from = pageIndex * pageSize;
  const bucketsOf = await bucketsOfInterval(input, read, pricing);
  return {
    rows: rows
      .sort(byFigure(sortKey, sortOrder))
      .slice(from, from + pageSize)
      .map((row) => ({ ...writtenRow(row), ...bucketsOf(row.channel.channelNumber) })),
    count: rows.length,
  };
};

/** Makes the field of the buckets of a row; none without an interval. */
async function bucketsOfInterval(
  { interval, ...input }: Input,
  { facts }: Read,
  pricing: Pricing,
): Promise<(channelNumber: number) => Pick<SalesByChannelRow, 'buckets'>> {
  if (interval === undefined) return () => ({});
  const windows = windowsOf({ ...input, interval }) as [Window, Window];
  const bucketsOf = await readBuckets(windows, facts, input, pricing);
  return (channelNumber) => ({ buckets: bucketsOf(channelNumber) });
}

/** Reads all facts, of one snapshot. */
async function readAll(
  { timezone, interval }: Input,
  { warehouse, limits }: Context,
  channels: readonly Channel[],
  windows: readonly [Span, Span],
): Promise<Read> {
  const all = channels.map(({ channelNumber }) => channelNumber);
  const stores = channels.filter(({ kind }) => kind === 'seller');
  const vendors = channels.filter(({ kind }) => kind === 'vendor');
  const vendorNumbers = vendors.map(({ channelNumber }) => channelNumber);
  return warehouse.readCached(all, limits, async (ask) => {
    const sold = await readSold(ask, stores, timezone, windows);
    // Without buckets only their sums are shown, whatever the days.
    const zone = interval === undefined ? 'UTC' : timezone;
    const sellers = stores.map(({ channelNumber }) => channelNumber);
    const facts: Facts[] = [];
    for (const [index, window] of windows.entries())
      facts.push({
        window,
        sold: sold[index]!,
        orders: sellers.length > 0 ? await readOrderCounts(ask, sellers, zone, window) : [],
        vendors: await ask.days(vendorDay, vendorNumbers, window),
      });
    return {
      facts: [facts[0]!, facts[1]!],
      targets: all.length > 0 ? await readTargetRows(ask, all, windows[0]) : [],
      snapshots: await readSnapshots(ask, stores, windows[0]),
    };
  });
}

/** How the amounts of all facts become those of the currency of the answer. */
async function pricingOf(
  input: Input,
  context: Context,
  channels: readonly Channel[],
  { facts, targets }: Read,
  window: DateRange,
): Promise<Pricing> {
  const { currentCurrency: currency } = input;
  const foreign = new Set<string>();
  for (const one of facts)
    for (const code of await foreignSales(one, input, currency)) foreign.add(code);
  const withTargets = new Set(targets.map(({ channel }) => channel));
  for (const channel of channels)
    if (withTargets.has(channel.channelNumber) && channel.currency !== currency)
      foreign.add(channel.currency);
  if (foreign.size === 0)
    return { currency, factors: { of: () => 1, sum: () => 1 }, missing: new Set() };
  const days = enclosing([
    ...facts.flatMap(({ sold, vendors, window: days }) => [
      soldDays(sold),
      extentOf(vendors, days),
    ]),
    ...(targets.length > 0 ? [targetDays(targets, window)] : []),
  ]);
  const { factor, missing } = await readViewConversion(
    input,
    { currencies: foreign, days },
    context,
  );
  return { currency, factors: factorTable(factor, days), missing };
}
