/** The questions of the view of profit. */
import { Refused } from '../client.ts';
import { type DataInput, requestOf } from '../data.ts';
import { useGathered, useQuery } from '../queries.ts';
import type { Interval } from '../view/intervals.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { type ProductRow, type StoreProfit, storeProfitOf } from './figures.ts';

/** Stores that one question can add up. */
export const storesMax = 20;
/** Rows of a page of products, the most that the API answers. */
const pageSize = 50;
/** Products of a store that are read, those with the largest sales. */
export const productsMax = 1000;

type Question = DataInput<'viewProfitByPeriod'>;

/** The stores whose profit a view can show: vendors have no profit and loss. */
export const sellersOf = (stores: readonly Store[]): readonly Store[] =>
  stores.filter(({ kind }) => kind !== 'vendor');

function questionOf(
  { dates, comparison, currency }: View,
  stores: readonly Store[],
  interval: Interval | 'y',
): Question {
  const { priorFromDate, priorToDate, ...own } = dates;
  return {
    channelIds: stores.map(({ channelId }) => channelId),
    currentCurrency: currency,
    includeTax: false,
    includeCogsRefunds: false,
    reportOptions: {
      ...own,
      ...(comparison !== 'none' && { priorFromDate, priorToDate }),
      interval,
    },
  };
}

/** The profit of stores together; undefined stores ask nothing. */
export const useProfit = (
  view: View,
  stores: readonly Store[] | undefined,
  interval: Interval | 'y',
) => useQuery('viewProfitByPeriod', stores && questionOf(view, stores, interval));

/** The profit of each store by itself; a refusal of one leaves the others. */
export function useStoreProfits(view: View, stores: readonly Store[]) {
  const questions = stores.map((store) => questionOf(view, [store], 'y'));
  const key = stores.length === 0 ? undefined : `profit of each ${JSON.stringify(questions)}`;
  const query = useGathered(key, async (ask) => ({
    currency: view.currency,
    stores: await Promise.all(
      stores.map(async (store, place): Promise<StoreProfit> => {
        try {
          const answer = await ask('viewProfitByPeriod', questions[place]!);
          return storeProfitOf(store, answer.formattedChartData);
        } catch (error) {
          if (!(error instanceof Refused) || error.status !== 400) throw error;
          const problem = error.message;
          return { store, figures: undefined, prior: undefined, uncosted: 0, problem };
        }
      }),
    ),
  }));
  return { ...query, request: questions.map((input) => requestOf('viewProfitByPeriod', input)) };
}

/** Products of a store, those with the largest sales first. */
export type Products = {
  readonly channelId: string;
  readonly rows: readonly ProductRow[];
  /** How many the store has, also those that were not read. */
  readonly count: number;
};

/** The profit of the products of a store, page by page; an undefined store asks nothing. */
export function useProducts({ dates: { fromDate, toDate } }: View, store: Store | undefined) {
  const question = (pageIndex: number): DataInput<'readProductProfitAndLoss'> => ({
    channelId: store!.channelId,
    merchantId: store!.merchantId,
    reportOptions: {
      ...{ fromDate, toDate, pageIndex, pageSize },
      includeTax: false,
      includeCogsRefunds: false,
    },
  });
  const key = store && `products of ${JSON.stringify(question(0))}`;
  const query = useGathered(key, async (ask): Promise<Products> => {
    const rows: ProductRow[] = [];
    for (let page = 0; ; page += 1) {
      const { productEvents, count } = await ask('readProductProfitAndLoss', question(page));
      rows.push(...productEvents);
      const wanted = Math.min(count, productsMax);
      if (rows.length >= wanted || productEvents.length === 0)
        return { channelId: store!.channelId, rows, count };
    }
  });
  const request = store && requestOf('readProductProfitAndLoss', question(0));
  // The products of another store would be in its currency.
  const value = query.value?.channelId === store?.channelId ? query.value : undefined;
  return { ...query, value, request };
}
