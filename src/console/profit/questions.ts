/** The questions of the view of profit. */
import { type Ask, type Input, requestOf } from '../client.ts';
import { useGathered } from '../queries.ts';
import { Refused } from '../refused.ts';
import type { Interval } from '../view/intervals.ts';
import { type ProfitQuestion, useProfitOf } from '../view/profits.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { type ProductRow, type StoreProfit, storeProfitOf } from './figures.ts';

/** The most stores whose profit is read one by one. */
export const storesMax = 20;
/** Rows of a page of products, the most that the API answers. */
const pageSize = 50;
/** The most products of a store that are read, those with the largest sales. */
export const productsMax = 1000;

function questionOf(
  { dates, comparison, currency }: View,
  interval: Interval | 'y',
): ProfitQuestion {
  const { priorFromDate, priorToDate, ...own } = dates;
  return {
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

/** The profit of stores together; no stores ask nothing. */
export const useProfit = (view: View, stores: readonly Store[], interval: Interval | 'y') =>
  useProfitOf(stores, questionOf(view, interval));

/** The profit of each store by itself; a refusal of one does not affect the others. */
export function useStoreProfits(view: View, stores: readonly Store[]) {
  const questions = stores.map(({ channelId }) => ({
    ...questionOf(view, 'y'),
    channelIds: [channelId],
  }));
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
  /** The number of products of the store, including those that were not read. */
  readonly count: number;
};

/** The profit of the products of a store, page by page; an undefined store asks nothing. */
export function useProducts(view: View, store: Store | undefined) {
  const question = store && productsQuestion(view, store, 0);
  const key = question && `products of ${JSON.stringify(question)}`;
  const query = useGathered(key, (ask) => askProducts(ask, view, store!, productsMax));
  const request = question && requestOf('readProductProfitAndLoss', question);
  // The products of another store would be in its currency.
  const value = query.value?.channelId === store?.channelId ? query.value : undefined;
  return { ...query, value, request };
}

function productsQuestion(
  { dates: { fromDate, toDate } }: View,
  { channelId, merchantId }: Store,
  pageIndex: number,
): Input<'readProductProfitAndLoss'> {
  const period = { fromDate, toDate, pageIndex, pageSize };
  return {
    channelId,
    merchantId,
    reportOptions: { ...period, includeTax: false, includeCogsRefunds: false },
  };
}

/** Reads the products of a store, up to `rowsMax`. */
export async function askProducts(
  ask: Ask,
  view: View,
  store: Store,
  rowsMax = Infinity,
): Promise<Products> {
  const rows: ProductRow[] = [];
  for (let page = 0; ; page += 1) {
    const question = productsQuestion(view, store, page);
    const { productEvents, count } = await ask('readProductProfitAndLoss', question);
    rows.push(...productEvents);
    if (rows.length >= Math.min(count, rowsMax) || productEvents.length === 0)
      return { channelId: store.channelId, rows, count };
  }
}
