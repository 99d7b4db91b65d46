/** Reports the shipments of a vendor's products, and the marketplace's margins on them. */
import { currencyPlaces } from '../../../../figures/money.ts';
import type { Compared } from '../../../../report/withComparison.ts';
import { type Asin, asinColumns, asinQuestions, writeAsins } from '../asins.ts';
import { counted, minus, ratioCell, sumCell } from '../cells.ts';
import type { Report } from '../report.ts';
import { type Amounts, amountOf, figureColumns, pageRowsMax } from '../windows.ts';

type Amount = 'shipped_revenue' | 'shipped_cogs' | 'margin_revenue';
type Figures = Amounts<Amount> & {
  readonly shipped_units: number;
  /** Margins of the marketplace x shipped revenue, in units of the channel's currency. */
  readonly margin_weighted: number;
};

const questions = asinQuestions<Figures>(import.meta.url, 'shippedRevenue.sql');

const percentPlaces = 2;

const none: Figures = {
  shipped_units: 0,
  shipped_revenue: 0n,
  shipped_revenue_converted: 0,
  shipped_cogs: 0n,
  shipped_cogs_converted: 0,
  margin_revenue: 0n,
  margin_revenue_converted: 0,
  margin_weighted: 0,
};

/** One row per product that was shipped in either window, the most shipped first. */
export const shippedRevenue = shippedByPages(pageRowsMax);

/** The same report, read in pages of at most `most` rows. */
export function shippedByPages(most: number): Report<'shippedRevenue', Compared<Asin, Figures>> {
  return {
    reportType: 'shippedRevenue',
    channelKind: 'vendor',
    columns(options, { currency }) {
      const places = currencyPlaces(currency);
      const { number, compared } = figureColumns<Asin, Figures>(options);
      const sum = (figures: Figures, name: Amount) => amountOf<Amount>(figures, name);
      return [
        ...asinColumns,
        ...compared('shippedRevenue', places, (figures) =>
          sumCell(sum(figures, 'shipped_revenue'), places),
        ),
        ...compared('shippedCogs', places, (figures) =>
          sumCell(sum(figures, 'shipped_cogs'), places),
        ),
        ...compared('shippedUnits', 'whole', (figures) => figures.shipped_units),
        ...compared('unitCogs', Math.max(2, places), (figures) =>
          ratioCell(
            sum(figures, 'shipped_cogs'),
            counted(figures.shipped_units),
            Math.max(2, places),
          ),
        ),
        ...compared('amazonMargin', percentPlaces, (figures) => {
          const revenue = sum(figures, 'shipped_revenue');
          const margin = minus(revenue, sum(figures, 'shipped_cogs'));
          return ratioCell(margin, revenue, percentPlaces, 100);
        }),
        number('netPureProductMargin', percentPlaces, ({ current }) =>
          ratioCell(
            { exact: 0n, converted: current.margin_weighted },
            sum(current, 'margin_revenue'),
            percentPlaces,
            100,
          ),
        ),
      ];
    },
    rows: ({ view, ...periods }, context, write) =>
      writeAsins(
        questions,
        { most, none },
        { ...periods, view: view.toUpperCase() },
        context,
        write,
      ),
  };
}
