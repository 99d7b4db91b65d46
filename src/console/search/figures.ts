/** Search Query Performance of a store: its months, its products, and the steps of a search. */

import { useMemo } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { usePages } from '../queries.ts';
import { addDays, addMonths, type Day, secondsOf, startOfUnit } from '../view/days.ts';
import { inMonth, numberOf } from '../view/format.ts';
import type { Range } from '../view/periods.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

type Row = Answer<'listSearchQueryPerformance'>['data'][number];
/** Figures of a product in one of the periods. */
export type Searched = Row['current'];

/** A product with its figures in both periods. */
export type Product = Row & {
  /** "" when it is not known. */
  readonly title: string;
};

/** The months that are shown, and those that they are compared with. */
export type Months = { readonly range: Range; readonly prior: Range | undefined };

/** The marketplace whose searches are known. */
const marketplace = 'primarymkt';
/** The most rows of a page. */
const pageSize = 50;
/** More products than any entitlement allows. */
const productsMax = 5_000;

/** The store whose searches are shown: the first that has any, among those that were chosen. */
export function storeOf({ stores }: View): Store | undefined {
  const able = stores.filter((store) => store.marketplace === marketplace);
  return able.find(({ freshness }) => freshness?.searchQueries !== undefined) ?? able[0];
}

/**
 * The whole months of the period. The current month is not over, so it counts only where the
 * period has no other.
 */
export function monthsOf({ range, comparison, today }: View): Months {
  const first = startOfUnit(range.first, 'month');
  const current = startOfUnit(today, 'month');
  const last = endOfMonth(range.last);
  const whole = { first, last: last >= current && first < current ? addDays(current, -1) : last };
  if (comparison === 'none') return { range: whole, prior: undefined };
  const count = comparison === 'year' ? 12 : monthsFrom(whole);
  return {
    range: whole,
    prior: {
      first: addMonths(whole.first, -count),
      last: endOfMonth(addMonths(startOfUnit(whole.last, 'month'), -count)),
    },
  };
}

const endOfMonth = (day: Day): Day => addDays(addMonths(startOfUnit(day, 'month'), 1), -1);

/** How many months lie in a range of whole months. */
function monthsFrom({ first, last }: Range): number {
  const numberOfMonth = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return numberOfMonth(last) - numberOfMonth(first) + 1;
}

/** Months as "October 2026" or "August 2026 – October 2026". */
export function inMonths({ first, last }: Range): string {
  const [from, to] = [inMonth(first), inMonth(last)];
  return from === to ? from : `${from} – ${to}`;
}

/** Reads the products of a store; nothing while `isAllowed` is false. */
export function useProducts(
  view: View,
  store: Store | undefined,
  months: Months,
  isAllowed: boolean,
) {
  const zone = store?.timezone ?? view.zone;
  const isWanted = store !== undefined && isAllowed;
  const { fromDate, toDate } = secondsOf(months.range.first, months.range.last, zone);
  // The call always compares; without a comparison the months stand beside themselves.
  const before = months.prior ?? months.range;
  const prior = secondsOf(before.first, before.last, zone);
  const channel = store && { channelId: store.channelId, merchantId: store.merchantId };
  const query = usePages(
    'listSearchQueryPerformance',
    isWanted
      ? {
          ...channel,
          fromDate,
          toDate,
          priorFromDate: prior.fromDate,
          priorToDate: prior.toDate,
          timezone: zone,
          currency: view.currency,
          sortKey: 'totalPurchases' as const,
          sortOrder: 'desc' as const,
        }
      : undefined,
    productsMax,
    pageSize,
  );
  const named = usePages(
    'viewSalesByProduct',
    isWanted ? { ...channel, fromDate, toDate, timezone: zone, includeNoSales: true } : undefined,
    productsMax,
  );
  const value = useMemo(() => {
    if (query.value === undefined) return undefined;
    const titles = new Map(
      named.value?.rows.map(({ current }) => [current.productSku, current.title]),
    );
    return query.value.rows.map((row) => ({ ...row, title: titles.get(row.asin) ?? '' }));
  }, [query.value, named.value]);
  return { ...query, value };
}

/** Adds an own figure up over products. */
export const sumOf = (products: readonly Product[], of: (product: Product) => number): number =>
  products.reduce((sum, product) => sum + of(product), 0);

/** Purchases on these searches that went to other products. */
export const lostOf = ({ totalPurchases, purchases }: Searched): number =>
  Math.max(0, totalPurchases - purchases);

const share = (part: number, whole: number): number | undefined =>
  whole > 0 ? numberOf((part / whole) * 100) : undefined;

/** A step of a search: the figures of the product and of all products. */
export type Step = {
  readonly id: 'impressions' | 'clicks' | 'cartAdds' | 'purchases';
  readonly name: string;
  readonly own: number;
  readonly market: number;
  readonly share: number | undefined;
  /** The percentage of those at the step before who take this one. */
  readonly rate: number | undefined;
  readonly marketRate: number | undefined;
};

/** The steps of a search, from being shown to being bought. */
export function stepsOf(figures: Searched): readonly Step[] {
  const { impressions, clicks, cartAdds, purchases } = figures;
  const { totalImpressions, totalClicks, totalCartAdds, totalPurchases } = figures;
  const rows = [
    ['impressions', 'Impressions', impressions, totalImpressions],
    ['clicks', 'Clicks', clicks, totalClicks],
    ['cartAdds', 'Cart adds', cartAdds, totalCartAdds],
    ['purchases', 'Purchases', purchases, totalPurchases],
  ] as const;
  return rows.map(([id, name, own, market], place) => {
    const before = rows[place - 1];
    return {
      id,
      name,
      own,
      market,
      share: share(own, market),
      rate: before && share(own, before[2]),
      marketRate: before && share(market, before[3]),
    };
  });
}

/** The step at which the product falls behind the market most; undefined if it never does. */
export function weakestOf(steps: readonly Step[]): Step | undefined {
  const behind = steps.flatMap((step) => {
    const { rate, marketRate } = step;
    return rate === undefined || !marketRate || rate >= marketRate
      ? []
      : [{ step, ratio: rate / marketRate }];
  });
  return behind.sort((one, other) => one.ratio - other.ratio)[0]?.step;
}
