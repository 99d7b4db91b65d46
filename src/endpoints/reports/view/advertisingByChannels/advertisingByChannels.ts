/** Advertising of every channel within reach, side by side in one currency. */

import { type Channel, merchantParts } from '../../../../access/channels.ts';
import { spansOf } from '../../../../calendar/windows.ts';
import { priorName } from '../../../../contract/byPeriod.ts';
import { comparison } from '../../../../figures/comparison.ts';
import { columnsOf, type Metric } from '../../../../figures/metrics.ts';
import { noText } from '../../../../figures/texts.ts';
import { type AmountUnits, amountUnits, metricReader } from '../../../../figures/writtenMetrics.ts';
import { writeInSlices } from '../../../../report/slices.ts';
import type { Handler } from '../../../handler.ts';
import { WrittenAnswer } from '../../../handler.ts';
import type {
  AdvertisingByChannelField,
  AdvertisingByChannelItem,
  viewAdvertisingByChannels as contract,
} from '../contract.ts';
import { storesWithoutRates } from '../conversion.ts';
import { advertisedChannels } from '../viewedChannels.ts';
import { type Column, columns, comparedMetrics, otherMetrics } from './columns.ts';
import { type Facts, factsOf, readFacts } from './facts.ts';
import { type ChannelSums, conversionOf, emptySums, sumsOf } from './sums.ts';

/** Writes the item of a store. */
const write = comparison<AdvertisingByChannelItem, keyof typeof otherMetrics>(
  comparedMetrics,
  otherMetrics,
);

/** Answers POST /reports/view/advertisingByChannels. */
export const viewAdvertisingByChannels: Handler<typeof contract> = async (input, context) => {
  const { currentCurrency, orderBy, pageIndex, pageSize } = input;
  const channels = await advertisedChannels(input, context);
  const windows = spansOf(input.reportOptions);
  const facts = await readFacts(input, context, channels, windows);
  const conversion = await conversionOf(input, context, facts);
  const sums = (of: Facts[], added: readonly Column[]) =>
    Promise.all(of.map((one) => sumsOf(one, input, added, conversion)));
  const units = amountUnits(currentCurrency, conversion.exchange.places);
  // Of the channels that are not on the page only the field is computed by which they are sorted;
  // but amounts without a rate are named in all channels.
  const { columns: sorted, keyOf } = sortings[orderBy];
  const [current, prior] = await sums(facts, conversion.missing.size > 0 ? columns : sorted);
  const shown = channels
    .map((channel) => ({ channel, key: keyOf(channel, current!, prior, units) }))
    .sort(largestFirst)
    .slice(pageIndex * pageSize, (pageIndex + 1) * pageSize)
    .map(({ channel }) => channel);
  const [shownCurrent, shownPrior] = await sums(factsOf(facts, shown), columns);
  const totalItems = channels.length;
  const unconverted = (channel: number) =>
    [current!, prior].flatMap((sums) => [...(sums?.get(channel)?.unconverted.values() ?? [])]);
  const ofSearchTerms = new Set(facts[0]!.searchTermDays.map(({ channel }) => channel));
  context.warn([
    ...storesWithoutRates(channels, unconverted),
    ...channels
      .filter(({ channelNumber }) => ofSearchTerms.has(channelNumber))
      .map(({ displayName }) => ({ store: displayName, code: 'search-terms-only' as const })),
  ]);
  const page = { pageIndex, pageSize, totalItems, totalPages: Math.ceil(totalItems / pageSize) };
  return new WrittenAnswer(
    await writeInSlices(
      '{"status":"success","data":{"items":[',
      shown,
      (out, channel) => {
        const { channelNumber: number } = channel;
        const head = JSON.stringify(storeOf(channel)).slice(0, -1);
        write(out, head, shownCurrent!.get(number), shownPrior?.get(number), units);
      },
      `],${JSON.stringify(page).slice(1)}}`,
    ),
  );
};

/** The fields of an item that are texts. */
function storeOf({ displayName, countryCode, merchantId }: Channel) {
  const { sellerId, marketplaceId } = merchantParts(merchantId);
  return {
    store: displayName,
    countryCode,
    marketplace_id: marketplaceId,
    seller_id: sellerId,
  };
}

/** Items are sorted by their keys: undefined for "-" and "". */
type Key = string | number | bigint | undefined;
type SumsOf = ReadonlyMap<number, ChannelSums> | undefined;

/** How items are sorted by a field: the columns that it needs, and its value. */
type Sorting = {
  readonly columns: readonly Column[];
  readonly keyOf: (channel: Channel, current: SumsOf, prior: SumsOf, units: AmountUnits) => Key;
};

function textSorting(field: keyof ReturnType<typeof storeOf>): Sorting {
  return {
    columns: [],
    keyOf(channel) {
      const text = storeOf(channel)[field];
      return text === '' || text === noText ? undefined : text.toLowerCase();
    },
  };
}

function metricSorting(name: string, metric: Metric<Column>, side: 'own' | 'prior'): Sorting {
  const { read } = metricReader(metric, columns);
  return {
    columns: columnsOf({ [name]: metric }),
    keyOf({ channelNumber }, current, prior, units) {
      const sums =
        side === 'own' ? (current!.get(channelNumber) ?? emptySums()) : prior?.get(channelNumber);
      if (sums === undefined || (side === 'prior' && !sums.known)) return undefined;
      return sums.unknown?.has(name) ? undefined : read(sums.cells, units);
    },
  };
}

const sortings = Object.fromEntries([
  ...(['store', 'countryCode', 'marketplace_id', 'seller_id'] as const).map((field) => [
    field,
    textSorting(field),
  ]),
  ...Object.entries<Metric<Column>>({ ...comparedMetrics, ...otherMetrics }).flatMap(
    ([name, metric]) => [
      [name, metricSorting(name, metric, 'own')],
      [priorName(name), metricSorting(name, metric, 'prior')],
    ],
  ),
]) as Readonly<Record<AdvertisingByChannelField, Sorting>>;

/**
 * Compares by keys, the largest first, unknown ones last. Sorting is stable, so channels with equal
 * keys stay in their order.
 */
function largestFirst({ key: left }: { key: Key }, { key: right }: { key: Key }): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  if (left < right) return 1;
  return left > right ? -1 : 0;
}
