/** The figures of the overview, made of the rows of the public answers. */

import type { Pair } from '../charts/points.ts';
import type { Answer } from '../client.ts';
import { type AdvertisingItem, advertisingOf } from '../view/advertised.ts';
import { numberOf } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';

/** A row of the sales of all stores. */
export type SalesRow = Answer<'viewSalesByChannel'>['rows'][number];

/** A buy box below this, in percent, is a problem. */
export const buyBoxMin = 80;

/** A store with its figures. */
export type StoreFigures = {
  readonly store: Store;
  readonly row: SalesRow;
  readonly sales: number | undefined;
  readonly priorSales: number | undefined;
  readonly orders: number | undefined;
  readonly conversion: number | undefined;
  readonly buyBox: number | undefined;
  readonly adSpend: number | undefined;
  readonly priorAdSpend: number | undefined;
  readonly tacos: number | undefined;
  /** The budget of the period, or its forecast where there is none. */
  readonly target: number | undefined;
};

/** Joins the rows of the answers by store. */
export function figuresOf(
  stores: readonly Store[],
  rows: readonly SalesRow[],
  advertising: readonly AdvertisingItem[] = [],
): StoreFigures[] {
  const byId = new Map(stores.map((store) => [store.channelId, store]));
  const adsOf = advertisingOf(advertising);
  return rows.flatMap((row) => {
    const store = byId.get(row.storeId);
    if (store === undefined) return [];
    const ads = adsOf(store);
    const isSeller = store.kind !== 'vendor';
    return [
      {
        store,
        row,
        sales: numberOf(row.sales.value),
        priorSales: numberOf(row.sales.priorPeriodValue),
        orders: isSeller ? numberOf(row.orders.value) : undefined,
        conversion: Number(row.pageViews.value) > 0 ? row.conversions.value : undefined,
        buyBox: numberOf(row.buyBoxSnapshot.percentage),
        adSpend: numberOf(ads?.spend),
        priorAdSpend: numberOf(ads?.priorSpend),
        tacos: numberOf(ads?.tacos),
        target: numberOf(row.budgetTarget ?? row.forecastTarget),
      },
    ];
  });
}

/** The sums of all stores, and the ratios made of them. */
export type Totals = {
  readonly sales: Pair;
  readonly orders: Pair;
  readonly averageOrder: Pair;
  readonly conversion: number | undefined;
  readonly tacos: Pair;
  /** Sales in percent of the targets of the stores that have one. */
  readonly toTarget: number | undefined;
  /** Stores whose sales have no exchange rate, which the sums leave out. */
  readonly unrated: readonly Store[];
};

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
/** A ratio of sums; undefined where there is nothing to divide by. */
export const ratio = (value: number, by: number, factor = 1) =>
  by === 0 ? undefined : (value / by) * factor;

/** Adds the stores up. */
export function totalsOf(figures: readonly StoreFigures[]): Totals {
  const sold = figures.filter(({ row }) => Number(row.orders.value) > 0);
  const priorSold = figures.filter(({ row }) => Number(row.orders.priorPeriodValue) > 0);
  const orders = sum(figures.map(({ row }) => Number(row.orders.value)));
  const priorOrders = sum(figures.map(({ row }) => Number(row.orders.priorPeriodValue)));
  const advertised = figures.filter(
    ({ store, adSpend }) => store.hasAdvertisingConnected && adSpend !== undefined,
  );
  const viewed = figures.filter(({ row }) => Number(row.pageViews.value) > 0);
  const targeted = figures.filter(({ target }) => target !== undefined);
  const salesOf = (some: readonly StoreFigures[]) => sum(some.map(({ sales }) => sales));
  const priorOf = (some: readonly StoreFigures[]) => sum(some.map(({ priorSales }) => priorSales));
  return {
    sales: { value: salesOf(figures), prior: priorOf(figures) },
    orders: { value: orders, prior: priorOrders },
    averageOrder: {
      value: ratio(salesOf(sold), orders),
      prior: ratio(priorOf(priorSold), priorOrders),
    },
    conversion: ratio(
      sum(viewed.map(({ row }) => Number(row.units.value))),
      sum(viewed.map(({ row }) => Number(row.pageViews.value))),
      100,
    ),
    tacos: {
      value: ratio(sum(advertised.map(({ adSpend }) => adSpend)), salesOf(advertised), 100),
      prior: ratio(
        sum(advertised.map(({ priorAdSpend }) => priorAdSpend)),
        priorOf(advertised),
        100,
      ),
    },
    toTarget: ratio(salesOf(targeted), sum(targeted.map(({ target }) => target)), 100),
    unrated: figures.filter(({ sales }) => sales === undefined).map(({ store }) => store),
  };
}
