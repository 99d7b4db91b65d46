/** The period, the stores and the currency of a view, read from its address. */
import { useMemo } from 'preact/hooks';
import { type Address, useAddress } from './address.ts';
import { addDays, type Day, secondsOf, today } from './days.ts';
import {
  type Comparison,
  comparedWith,
  comparisons,
  customRange,
  isPreset,
  type Preset,
  presetDefault,
  type Range,
  rangeOfPreset,
} from './periods.ts';
import { type Store, useStores } from './stores.tsx';
import type { Tag } from './tags.ts';

/** The state of a view. */
export type View = {
  readonly address: Address;
  readonly preset: Preset | undefined;
  readonly range: Range;
  readonly comparison: Comparison;
  /** The range of the comparison; that of the prior period when there is none. */
  readonly prior: Range;
  /** The time zone whose days the view counts. */
  readonly zone: string;
  /** The chosen stores; all when none is chosen. */
  readonly stores: readonly Store[];
  readonly chosen: readonly string[];
  /** The tags, one of which a store must carry; all stores when none is chosen. */
  readonly tags: readonly string[];
  /** The stores of the view, for questions; undefined where they are all stores, or too many. */
  readonly narrowed: readonly string[] | undefined;
  readonly currency: string;
  /** Whether the currency was chosen, or follows from the stores. */
  readonly isCurrencyChosen: boolean;
  /** The last day with sales or traffic of any of the stores. */
  readonly lastDay: Day;
  readonly today: Day;
  /** Parameters of the address that mean nothing here. */
  readonly ignored: readonly string[];
  /** The periods as the API takes them, in epoch seconds. */
  readonly dates: {
    readonly fromDate: number;
    readonly toDate: number;
    readonly priorFromDate: number;
    readonly priorToDate: number;
    readonly timezone: string;
  };
};

const readersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const currencyDefault = 'USD';

/** The currency in which stores are added up, unless another is chosen: their own if it is one. */
export function currencyOf(stores: readonly Store[]): string {
  const [first, ...others] = new Set(stores.map(({ currency }) => currency));
  return others.length > 0 ? currencyDefault : (first ?? currencyDefault);
}

/** Reads what the current view shows. */
export function useView(): View {
  const address = useAddress();
  const { stores: all, tags } = useStores();
  return useMemo(() => viewOf(address, all, tags), [address.params, address.path, all, tags]);
}

function viewOf(address: Address, all: readonly Store[], known: readonly Tag[] | undefined): View {
  const { params } = address;
  const ignored: string[] = [];
  const own = storeOfPath(address.path);
  const chosen = (own === undefined ? params.getAll('store') : [own]).filter((id) => {
    const isKnown = all.length === 0 || all.some(({ channelId }) => channelId === id);
    if (!isKnown) ignored.push(`store ${id}`);
    return isKnown;
  });
  const tags = own === undefined ? tagsOf(params, known, ignored) : [];
  const tagged = tags.flatMap((id) => known?.find((tag) => tag.id === id) ?? []);
  const stores = all.filter(
    ({ channelId }) =>
      (chosen.length === 0 || chosen.includes(channelId)) &&
      (tagged.length === 0 || tagged.some(({ channelIds }) => channelIds.has(channelId))),
  );
  const zone = zoneOf(params, stores, ignored);
  const now = today(zone);
  const lastDay = lastDayOf(stores, now);
  const custom = customRange(params.get('from'), params.get('to'));
  const named = params.get('period');
  if (named !== null && !isPreset(named)) ignored.push(`period ${named}`);
  if (params.has('from') && custom === undefined) ignored.push('the dates');
  const preset =
    custom === undefined ? (named !== null && isPreset(named) ? named : presetDefault) : undefined;
  const range = custom ?? rangeOfPreset(preset!, lastDay, now);
  const compared = params.get('compare') ?? 'prior';
  const isComparison = comparisons.some(({ id }) => id === compared);
  if (!isComparison) ignored.push(`comparison ${compared}`);
  const comparison = isComparison ? (compared as Comparison) : 'prior';
  const prior = comparedWith(range, comparison);
  const wanted = params.get('currency')?.toUpperCase();
  const isCurrency = wanted !== undefined && /^[A-Z]{3}$/.test(wanted);
  if (wanted !== undefined && !isCurrency) ignored.push(`currency ${wanted}`);
  const { fromDate, toDate } = secondsOf(range.first, range.last, zone);
  const { fromDate: priorFromDate, toDate: priorToDate } = secondsOf(prior.first, prior.last, zone);
  return {
    address,
    preset,
    range,
    comparison,
    prior,
    zone,
    stores,
    chosen,
    lastDay,
    ignored,
    today: now,
    tags,
    narrowed: narrowedTo(stores, all),
    currency: isCurrency ? wanted : currencyOf(stores),
    isCurrencyChosen: isCurrency,
    dates: { fromDate, toDate, priorFromDate, priorToDate, timezone: zone },
  };
}

/** The most stores that a question can name. */
const namedMax = 1_000;

function narrowedTo(stores: readonly Store[], all: readonly Store[]) {
  const isNamed = stores.length < all.length && stores.length <= namedMax;
  return isNamed ? stores.map(({ channelId }) => channelId) : undefined;
}

/** The tags of the address that a store carries; those that are not known yet may be any. */
function tagsOf(
  params: URLSearchParams,
  known: readonly Tag[] | undefined,
  ignored: string[],
): readonly string[] {
  return params.getAll('tag').filter((id) => {
    const isKnown = known === undefined || known.some((tag) => tag.id === id);
    if (!isKnown) ignored.push(`tag ${id}`);
    return isKnown;
  });
}

/** The store that a path is about, such as that of /console/stores/a/sales. */
function storeOfPath(path: string): string | undefined {
  const id = /^\/console\/stores\/([^/]+)/.exec(path)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/** The zone of the address, or that of all stores, or that of the reader. */
function zoneOf(params: URLSearchParams, stores: readonly Store[], ignored: string[]): string {
  const named = params.get('zone');
  if (named !== null) {
    try {
      Intl.DateTimeFormat('en', { timeZone: named });
      return named;
    } catch {
      ignored.push(`time zone ${named}`);
    }
  }
  const zones = new Set(stores.map(({ timezone }) => timezone));
  return zones.size === 1 ? ([...zones][0] ?? readersZone) : readersZone;
}

const daily = ['orderLines', 'traffic', 'vendorSales'] as const;

/** The last whole day with sales or traffic; yesterday where that is later or unknown. */
function lastDayOf(stores: readonly Store[], now: Day): Day {
  const yesterday = addDays(now, -1);
  const known = stores.flatMap(({ freshness }) =>
    daily.flatMap((dataset) => freshness?.[dataset] ?? []),
  );
  const last = known.sort().at(-1);
  return last !== undefined && last < yesterday ? last : yesterday;
}
