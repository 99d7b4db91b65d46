/** The rows of the inventory: filters, totals, order. */
import type { Sort } from '../parts/table.tsx';
import { addDays, type Day } from '../view/days.ts';
import type { Stock } from './replenishment.ts';

/** Stock that ends within these days is about to end. */
export const soonDays = 14;

/** A choice of rows, as the address names it. */
export type Choice = 'reorder' | 'out' | 'soon' | 'inbound' | 'all';

/** Whether units should be sent today. */
export const isDue = ({ units, reorder }: Stock, today: Day): boolean =>
  units > 0 && reorder !== undefined && reorder <= today;

/** Whether nothing is left of something that sells. */
export const isOut = ({ available, perDay }: Stock): boolean =>
  available === 0 && perDay !== undefined && perDay > 0;

const isSoon = (stock: Stock, today: Day): boolean =>
  !isOut(stock) && stock.stockOut !== undefined && stock.stockOut <= addDays(today, soonDays);

/** The rows of a choice. */
export function chosenOf(rows: readonly Stock[], choice: Choice, today: Day): readonly Stock[] {
  switch (choice) {
    case 'reorder':
      return rows.filter((stock) => isDue(stock, today));
    case 'out':
      return rows.filter(isOut);
    case 'soon':
      return rows.filter((stock) => isSoon(stock, today));
    case 'inbound':
      return rows.filter(({ inbound }) => inbound > 0);
    default:
      return rows;
  }
}

/** For how many days the units of all rows last at their sales of a day. */
export function coverOf(rows: readonly Stock[]): number | undefined {
  const selling = rows.filter(({ available, perDay }) => available !== undefined && perDay);
  const perDay = selling.reduce((total, stock) => total + stock.perDay!, 0);
  const available = selling.reduce((total, stock) => total + stock.available!, 0);
  return perDay === 0 ? undefined : available / perDay;
}

/** The rows with a text in their title, SKU or ASIN. */
export function matching(rows: readonly Stock[], text: string): readonly Stock[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ title, sku, asin }) =>
    `${title}\n${sku}\n${asin}`.toLowerCase().includes(wanted),
  );
}

/** The values by which rows may be sorted. */
export const sortValues = {
  product: ({ title, sku }: Stock) => (title || sku).toLowerCase(),
  store: ({ store }: Stock) => store.shortName,
  available: ({ available }: Stock) => available,
  inbound: ({ inbound }: Stock) => inbound,
  sold: ({ perDay }: Stock) => perDay,
  cover: ({ daysCover }: Stock) => daysCover,
  out: ({ stockOut }: Stock) => stockOut,
  reorder: ({ reorder, units }: Stock) => (units === 0 ? undefined : reorder),
  send: ({ units }: Stock) => units,
};

/** The rows in an order; unknown values come last, and equal rows follow their urgency. */
export function sorted(rows: readonly Stock[], { by, isDescending }: Sort): readonly Stock[] {
  const figureOf = sortValues[by as keyof typeof sortValues];
  return rows.toSorted((one, other) => {
    const [left, right] = [figureOf(one), figureOf(other)];
    if (left === right) return byUrgency(one, other);
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return left < right === isDescending ? 1 : -1;
  });
}

/** The soonest out of stock first, then the one that sells most. */
export function byUrgency(one: Stock, other: Stock): number {
  const cover = (stock: Stock) => stock.daysCover ?? Number.POSITIVE_INFINITY;
  const [left, right] = [cover(one), cover(other)];
  if (left !== right) return left < right ? -1 : 1;
  return (other.perDay ?? 0) - (one.perDay ?? 0);
}
