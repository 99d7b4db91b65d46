/** Reports the views and orders of a vendor's products. */
import { currencyPlaces } from '../../../../figures/money.ts';
import type { Compared } from '../../../../report/withComparison.ts';
import { type Asin, asinColumns, asinQuestions, writeAsins } from '../asins.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { Report } from '../report.ts';
import { type Amounts, amountOf, figureColumns, pageRowsMax } from '../windows.ts';

type Figures = Amounts<'ordered_revenue'> & {
  readonly glance_views: number;
  readonly ordered_units: number;
};

const questions = asinQuestions<Figures>(import.meta.url, 'orderedRevenue.sql');

const percentPlaces = 2;
const ratioPlaces = 4;

const none: Figures = {
  glance_views: 0,
  ordered_units: 0,
  ordered_revenue: 0n,
  ordered_revenue_converted: 0,
};

/** One row per product that was viewed or ordered in either window, the most ordered first. */
export const orderedRevenue = orderedByPages(pageRowsMax);

/** The same report, read in pages of at most `most` rows. */
export function orderedByPages(most: number): Report<'orderedRevenue', Compared<Asin, Figures>> {
  return {
    reportType: 'orderedRevenue',
    channelKind: 'vendor',
    columns(options, { currency }) {
      const places = currencyPlaces(currency);
      const { number, compared } = figureColumns<Asin, Figures>(options);
      const revenue = (figures: Figures) => amountOf(figures, 'ordered_revenue');
      return [
        ...asinColumns,
        ...compared('glanceViews', 'whole', (figures) => figures.glance_views),
        ...compared('orderedRevenue', places, (figures) => sumCell(revenue(figures), places)),
        ...compared('orderedUnits', 'whole', (figures) => figures.ordered_units),
        number('avgPrice', Math.max(2, places), ({ current }) =>
          ratioCell(revenue(current), counted(current.ordered_units), Math.max(2, places)),
        ),
        number('unitsPerGlanceViews', ratioPlaces, ({ current: { ordered_units, glance_views } }) =>
          countRatioCell(ordered_units, glance_views, ratioPlaces),
        ),
        ...compared('conversionRate', percentPlaces, ({ ordered_units, glance_views }) =>
          countRatioCell(ordered_units, glance_views, percentPlaces, 100),
        ),
      ];
    },
    rows: (options, context, write) =>
      writeAsins(questions, { most, none }, options, context, write),
  };
}
