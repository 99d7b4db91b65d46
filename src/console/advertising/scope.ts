/** The stores whose advertising is shown, at most five, and their totals in both periods. */

import { useMemo } from 'preact/hooks';
import type { Input } from '../client.ts';
import { usePages } from '../queries.ts';
import { type AdvertisingItem, advertisingOf } from '../view/advertised.ts';
import { addMonths, type Day } from '../view/days.ts';
import { numberOf } from '../view/format.ts';
import type { Range } from '../view/periods.ts';
import { type Store, useStores } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

/** The most stores that the lists of advertising take at once. */
const storesMax = 5;
/** Months that the lists of advertising reach. */
const monthsMax = 6;

type Channels = 'viewAdvertisingByChannels';

/** The stores of the view, and their totals. */
export type Scope = {
  /** Undefined until it is known which stores have the most spend. */
  readonly stores: readonly Store[] | undefined;
  /** Words on the stores that are not included. */
  readonly caveat: string | undefined;
  /** Whether the period is longer than the lists reach. */
  readonly isTooLong: boolean;
  readonly query: ReturnType<typeof usePages<Channels>>;
  readonly current: Totals | undefined;
  readonly prior: Totals | undefined;
};

/** The stores of the view that have advertising, those with the most spend if they are too many. */
export function useScope(view: View): Scope {
  const { query: known } = useStores();
  const { fromDate, toDate, priorFromDate, priorToDate, timezone } = view.dates;
  const isKnown = known.value !== undefined;
  const own = { fromDate, toDate, timezone };
  const query = usePages('viewAdvertisingByChannels', isKnown ? questionOf(view, own) : undefined);
  const before =
    view.comparison === 'none'
      ? undefined
      : questionOf(view, { fromDate: priorFromDate, toDate: priorToDate, timezone });
  const priorQuery = usePages('viewAdvertisingByChannels', isKnown ? before : undefined);
  const items = query.value?.rows;
  const priorItems = before === undefined ? undefined : priorQuery.value?.rows;
  return useMemo(() => {
    const advertised = view.stores.filter(({ hasAdvertisingConnected }) => hasAdvertisingConnected);
    const stores =
      advertised.length <= storesMax ? advertised : items && mostSpent(advertised, items);
    return {
      stores,
      caveat: isKnown ? caveatOf(view.stores, advertised, stores) : undefined,
      isTooLong: [view.range, ...(before ? [view.prior] : [])].some(isLong),
      query,
      current: stores && items && totalsOf(stores, items),
      prior: stores && priorItems && totalsOf(stores, priorItems),
    };
  }, [view, isKnown, query, items, priorItems]);
}

/** The question for all stores, those with the most spend first. */
export const questionOf = (
  view: Pick<View, 'currency'>,
  reportOptions: NonNullable<Input<Channels>['reportOptions']>,
): Input<Channels> => ({
  reportOptions,
  currentCurrency: view.currency,
  orderBy: 'spend',
});

const isLong = ({ first, last }: Range) => addMonths(first, monthsMax) <= last;

function mostSpent(stores: readonly Store[], items: readonly AdvertisingItem[]): readonly Store[] {
  const adsOf = advertisingOf(items);
  const spendOf = (store: Store) => numberOf(adsOf(store)?.spend) ?? 0;
  return stores.toSorted((one, other) => spendOf(other) - spendOf(one)).slice(0, storesMax);
}

function caveatOf(
  all: readonly Store[],
  advertised: readonly Store[],
  stores: readonly Store[] | undefined,
): string | undefined {
  if (stores !== undefined && stores.length < advertised.length)
    return `The ${storesMax} stores with the most spend, of ${advertised.length}.`;
  const without = all.length - advertised.length;
  if (without === 0 || advertised.length === 0) return undefined;
  return without === 1
    ? 'Without 1 store that has no advertising.'
    : `Without ${without} stores that have no advertising.`;
}

/** Totals of stores. Ratios are made of sums. */
export type Totals = ReturnType<typeof totalsOf>;

/** Adds the items of stores up. */
export function totalsOf(stores: readonly Store[], items: readonly AdvertisingItem[]) {
  const adsOf = advertisingOf(items);
  const own = stores.flatMap((store) => adsOf(store) ?? []);
  const sumOf = (figureOf: (item: AdvertisingItem) => number | undefined) =>
    own.reduce<number | undefined>((sum, item) => {
      const figure = figureOf(item);
      return sum === undefined || figure === undefined ? undefined : sum + figure;
    }, 0);
  const spend = sumOf((item) => numberOf(item.spend));
  const sales = sumOf((item) => numberOf(item.adsales));
  const clicks = sumOf((item) => item.clicks);
  const newToBrand = sumOf((item) => numberOf(item.NTB_sales));
  // The answer has total sales only as a multiple of spend, with two decimals.
  const allSales = sumOf((item) => {
    const [cost, multiple] = [numberOf(item.spend), numberOf(item.troas)];
    return cost === undefined || multiple === undefined ? undefined : cost * multiple;
  });
  const single = own.length === 1 ? own[0] : undefined;
  return {
    spend,
    sales,
    acos: share(spend, sales),
    tacos: single ? numberOf(single.tacos) : share(spend, allSales),
    costPerClick: spend === undefined || !clicks ? undefined : spend / clicks,
    newToBrand: share(newToBrand, sales),
  };
}

/** A part of a whole in percent; undefined without a whole. */
export const share = (part: number | undefined, whole: number | undefined): number | undefined =>
  part === undefined || !whole ? undefined : (part / whole) * 100;

/**
 * The seconds of days as lists take them, which read the date of each store from them: at ten in
 * the morning of UTC the date is the same in all zones from ten hours before UTC to 13 hours after.
 */
export const listSeconds = (day: Day): number => Date.parse(`${day}T10:00:00Z`) / 1000;
