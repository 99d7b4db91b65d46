/** Advertising of every channel within reach, side by side in one currency. */
import { type Channel, merchantParts } from '../../../../access/channels.ts';
import { priorName } from '../../../../contract/byPeriod.ts';
import { comparison } from '../../../../report/comparison.ts';
import { columnsOf, type Metric, writtenMetric } from '../../../../report/metrics.ts';
import { spansOf } from '../../../../report/period.ts';
import { type AmountTexts, amountTexts, noText } from '../../../../report/texts.ts';
import type { Handler } from '../../../handler.ts';
import type {
  AdvertisingByChannelField,
  AdvertisingByChannelItem,
  viewAdvertisingByChannels as contract,
} from '../contract.ts';
import { storesWithoutRates } from '../conversion.ts';
import { advertisedChannels } from '../viewedChannels.ts';
import { type Column, columns, comparedMetrics, otherMetrics } from './columns.ts';
import { type Facts, factsOf, readFacts } from './facts.ts';
import { type ChannelSums, conversionOf, noSums, sumsOf } from './sums.ts';

const textFields = [
  'store',
  'countryCode',
  'marketplace_id',
  'seller_id',
] as const satisfies readonly AdvertisingByChannelField[];

/** Answers POST /reports/view/advertisingByChannels. */
export const viewAdvertisingByChannels: Handler<typeof contract> = async (input, context) => {
  const { currentCurrency, orderBy, pageIndex, pageSize } = input;
  const channels = await advertisedChannels(input, context);
  const windows = spansOf(input.reportOptions);
  const facts = await readFacts(input, context, channels, windows);
  const conversion = await conversionOf(input, context, facts);
  const sums = (of: Facts[], added: readonly Column[]) =>
    Promise.all(of.map((one) => sumsOf(one, input, added, conversion)));
  const texts = amountTexts(currentCurrency, conversion.exchange.places);
  // Of the channels that are not on the page only the field is computed by which they are sorted;
  // but amounts without a rate are named in all channels.
  const { item, columns: sorted } = itemMakers[orderBy];
  const [current, prior] = await sums(facts, conversion.missing.size > 0 ? columns : sorted);
  const shown = channels
    .map((channel) => ({ channel, key: keyIn(orderBy, item(channel, current!, prior, texts)) }))
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
  return {
    status: 'success',
    data: {
      items: shown.map((channel) => wholeItem.item(channel, shownCurrent!, shownPrior, texts)),
      pageIndex,
      pageSize,
      totalItems,
      totalPages: Math.ceil(totalItems / pageSize),
    },
  };
};

/** Makes the item of a channel from its sums in both windows. */
type MakeItem = (
  channel: Channel,
  current: ReadonlyMap<number, ChannelSums>,
  prior: ReadonlyMap<number, ChannelSums> | undefined,
  texts: AmountTexts,
) => AdvertisingByChannelItem;

type MetricsOfItem = {
  readonly compared?: Partial<typeof comparedMetrics>;
  readonly other?: Partial<typeof otherMetrics>;
};

/** Makes items with the store and some of the metrics, of which it names the columns. */
function itemMaker({ compared = {}, other = {} }: MetricsOfItem): {
  readonly item: MakeItem;
  readonly columns: readonly Column[];
} {
  const compare = comparison<AdvertisingByChannelItem>(compared as typeof comparedMetrics);
  const otherEntries = Object.entries<Metric>(other);
  const entries = [...Object.entries<Metric>(compared), ...otherEntries];
  const item: MakeItem = (channel, current, prior, texts) => {
    const { channelNumber, merchantId, displayName, countryCode } = channel;
    const { sellerId, marketplaceId } = merchantParts(merchantId);
    const sums = current.get(channelNumber) ?? noSums();
    const priorSums = prior?.get(channelNumber);
    const store = {
      ...{ store: displayName, countryCode },
      ...{ marketplace_id: marketplaceId, seller_id: sellerId },
    };
    return {
      ...compare(store, sums, priorSums, texts),
      ...(Object.fromEntries(
        otherEntries.map(([name, metric]) => [name, writtenMetric(metric, sums.values, texts)]),
      ) as Pick<AdvertisingByChannelItem, keyof typeof otherMetrics>),
      ...withoutRates(entries, sums, priorSums),
    };
  };
  return { item, columns: columnsOf({ ...compared, ...other }) };
}

const wholeItem = itemMaker({ compared: comparedMetrics, other: otherMetrics });
/** Makes items that have at least one field, by its name. */
const itemMakers = Object.fromEntries([
  ...textFields.map((field) => [field, itemMaker({})]),
  ...Object.entries(comparedMetrics).flatMap(([name, metric]) => {
    const maker = itemMaker({ compared: { [name]: metric } });
    return [[name, maker] as const, [priorName(name), maker] as const];
  }),
  ...Object.entries(otherMetrics).map(([name, metric]) => [
    name,
    itemMaker({ other: { [name]: metric } }),
  ]),
]) as Readonly<Record<AdvertisingByChannelField, ReturnType<typeof itemMaker>>>;

/** "-" for each metric that needs amounts without a rate, or that search terms alone cannot say. */
function withoutRates(
  entries: readonly (readonly [string, Metric])[],
  sums: ChannelSums,
  prior: ChannelSums | undefined,
): Partial<AdvertisingByChannelItem> {
  const unknown: Record<string, string> = {};
  for (const [name, { part, whole }] of entries) {
    const lacks = (window: ChannelSums | undefined) =>
      [part, whole].some((column) => column && window?.unconverted.has(column.name as never));
    if (lacks(sums) || sums.unknown?.has(name)) unknown[name] = noText;
    if (name in comparedMetrics && lacks(prior)) unknown[priorName(name)] = noText;
  }
  return unknown as Partial<AdvertisingByChannelItem>;
}

/** Items are sorted by their keys: undefined for "-" and "". */
type Key = string | bigint | undefined;

function keyIn(field: AdvertisingByChannelField, item: AdvertisingByChannelItem): Key {
  const value = String(item[field]);
  if (value === '-' || value === '') return undefined;
  // The numbers of one field have equally many decimal places.
  const isText = (textFields as readonly string[]).includes(field);
  return isText ? value.toLowerCase() : BigInt(value.replace('.', ''));
}

/**
 * Compares by keys, the largest first, unknown ones last. Sorting is stable, so channels with equal
 * keys stay in their order.
 */
function largestFirst({ key: left }: { key: Key }, { key: right }: { key: Key }): number {
  if (left === right) return 0;
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return left < right ? 1 : -1;
}
