/** The questions of the overview and of the list of stores. */
import { useQuery } from '../queries.ts';
import type { View } from '../view/view.ts';
import { figuresOf, totalsOf } from './figures.ts';

/** Stores of a page, the most that the views of channels answer. */
const pageSize = 100;

/** The figures of the stores of a view, bucket by bucket; undefined until their sales are known. */
export function useStoreFigures(view: View, interval: 'day' | 'week' | 'month') {
  const { stores, chosen, currency, dates, tags } = view;
  const sales = useQuery('viewSalesByChannel', {
    ...dates,
    currentCurrency: currency,
    interval,
    ...(tags.length > 0 && { filter: { tags: [...tags] } }),
    ...(chosen.length > 0 && { channelIds: [...chosen] }),
    pageSize,
  });
  const advertising = useQuery('viewAdvertisingByChannels', {
    reportOptions: dates,
    currentCurrency: currency,
    pageSize,
  });
  const figures =
    sales.value && figuresOf(stores, sales.value.rows, advertising.value?.data.items ?? []);
  return { sales, figures, totals: figures && totalsOf(figures) };
}
