/** Pages of products from memory: their figures by month. */

import type { CachedAsk } from '../../engine/segments/router.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import { amountColumn, type Column, countColumn } from '../../figures/columns.ts';
import type { FactorOf } from '../../figures/factors.ts';
import { roundedSum } from '../../figures/money.ts';
import { itemFigures, readItemSums } from '../../report/itemDays.ts';
import type { ItemSums } from '../../report/itemTables.ts';
import type { SortableFigure } from './contract.ts';
import {
  type Count,
  counted,
  countNames,
  nothing,
  percentOf,
  percents,
  type Sums,
} from './figures.ts';

const revenue = amountColumn('revenue');
const totalRevenue = amountColumn('total_revenue');
const columns: readonly Column[] = [...countNames.map(countColumn), revenue, totalRevenue];
const placeOf = new Map(columns.map(({ name }, place) => [name, place]));

/** The figures of products by month. */
export const searchFigures = itemFigures('search_month', 'asin', columns);

/** A page of products: the channel, the periods, and the order. */
export type PageInput = {
  readonly channel: number;
  readonly current: DateRange;
  readonly prior: DateRange;
  /** Only these products, if there are any. */
  readonly asins: readonly string[];
  /** The number of products listed: those with the most impressions in the current period. */
  readonly most: number;
  readonly sortKey: 'asin' | SortableFigure;
  readonly sortOrder: 'asc' | 'desc';
  readonly pageIndex: number;
  readonly pageSize: number;
  /** Decimal places of amounts of the answer. */
  readonly places: number;
  readonly factorOf: FactorOf;
};

/** The products of a page in order, and the number on all pages. */
export type PageFromMemory = {
  readonly shown: readonly string[];
  readonly count: number;
  /** The sums of a product in each period, exact where nothing was converted. */
  readonly currentOf: (asin: string) => Sums;
  readonly priorOf: (asin: string) => Sums;
};

/** The requested page; undefined if there are too many figures to cache. */
export async function pageFromMemory(
  ask: CachedAsk,
  input: PageInput,
): Promise<PageFromMemory | undefined> {
  const { asins, most, sortOrder, pageIndex, pageSize } = input;
  const current = await readSums(ask, input, input.current);
  const prior = await readSums(ask, input, input.prior);
  if (current === undefined || prior === undefined) return undefined;
  const all = new Set([...current.keys(), ...prior.keys()]);
  const matching = asins.length > 0 ? asins.filter((asin) => all.has(asin)) : [...all];
  const mostShown = sortedBy(
    inOrder(matching),
    (asin) => countIn(current.get(asin), 'impressions'),
    'desc',
  );
  const listed = inOrder(mostShown.slice(0, most));
  const numberOf = numberBy(input);
  const sorted = sortedBy(listed, (asin, place) => numberOf(current.get(asin), place), sortOrder);
  return {
    shown: sorted.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize),
    count: sorted.length,
    currentOf: (asin) => sumsOf(current.get(asin)),
    priorOf: (asin) => sumsOf(prior.get(asin)),
  };
}

async function readSums(ask: CachedAsk, { channel, factorOf }: PageInput, days: DateRange) {
  const sums = await readItemSums(ask, searchFigures, [{ channel, ...days }], factorOf);
  return sums?.get(channel);
}

/** Sorts products by a number; the order of equal ones does not change. */
function sortedBy(
  asins: readonly string[],
  numberOf: (asin: string, place: number) => number,
  order: 'asc' | 'desc',
): string[] {
  const sign = order === 'asc' ? 1 : -1;
  return asins
    .map((asin, place) => ({ asin, number: numberOf(asin, place) }))
    .sort((one, other) => sign * (one.number - other.number))
    .map(({ asin }) => asin);
}

/** Compares products by the bytes of their identifiers. */
function inOrder(asins: readonly string[]): string[] {
  return asins
    .map((asin) => ({ asin, bytes: Buffer.from(asin) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ asin }) => asin);
}

/** The number that sorts products, as shown; for identifiers, their place in order. */
function numberBy({
  sortKey,
  places,
}: PageInput): (sums: ItemSums | undefined, place: number) => number {
  if (sortKey === 'asin') return (_, place) => place;
  if (sortKey === 'currentRevenue')
    return (sums) => Math.max(0, roundedSum(amountIn(sums, revenue), places));
  if (sortKey === 'opportunity')
    return (sums) => {
      const [whole, own] = [amountIn(sums, totalRevenue), amountIn(sums, revenue)];
      const missed = {
        exact: whole.exact - own.exact,
        converted: whole.converted - own.converted,
      };
      return Math.max(0, roundedSum(missed, places));
    };
  if (sortKey in counted) {
    const count = counted[sortKey as keyof typeof counted];
    return (sums) => countIn(sums, count);
  }
  const [part, whole] = percents[sortKey as keyof typeof percents];
  return (sums) => percentOf(countIn(sums, part), countIn(sums, whole));
}

function countIn(sums: ItemSums | undefined, count: Count): number {
  return sums?.exact[placeOf.get(count)!] ?? 0;
}

function amountIn(sums: ItemSums | undefined, { name }: Column) {
  const place = placeOf.get(name)!;
  return {
    exact: BigInt(sums?.exact[place] ?? 0),
    converted: sums?.converted[place] ?? 0,
  };
}

function sumsOf(item: ItemSums | undefined): Sums {
  const sums = nothing();
  for (const count of countNames) sums[count] = countIn(item, count);
  sums.revenue = amountIn(item, revenue).exact;
  sums.total_revenue = amountIn(item, totalRevenue).exact;
  return sums;
}
