/** The questions of the overview and of the list of stores. */
import { usePages } from '../queries.ts';
import type { Interval } from '../view/intervals.ts';
import type { View } from '../view/view.ts';
import { figuresOf, totalsOf } from './figures.ts';

/** The figures of the stores of a view, bucket by bucket; undefined until their sales are known. */
export function useStoreFigures(view: View, interval: Interval) {
  const { stores, narrowed, currency, dates } = view;
  const sales = usePages('viewSalesByChannel', {
    ...dates,
    currentCurrency: currency,
    interval,
    ...(narrowed && { channelIds: [...narrowed] }),
  });
  const advertising = usePages('viewAdvertisingByChannels', {
    reportOptions: dates,
    currentCurrency: currency,
  });
  const figures = sales.value && figuresOf(stores, sales.value.rows, advertising.value?.rows);
  return { sales, advertising, figures, totals: figures && totalsOf(figures) };
}

/** The answers of the stores of a view. */
export type Stored = ReturnType<typeof useStoreFigures>;
