/** Writes reports of a vendor's products: one row per ASIN, with the figures of both windows. */

import { partFile, type Question, questionFile } from '../../../engine/question.ts';
import { type Dated, readChannelConversion } from '../../../report/conversion.ts';
import type { TypedColumn } from '../../../report/typedColumns.ts';
import type { Compared, Keyed } from '../../../report/withComparison.ts';
import type { ReportContext, Write } from './report.ts';
import { datesOf, dateWindowsOf, type Periods, writeCompared } from './windows.ts';

/** A product of a vendor. */
export type Asin = {
  /** Units of the period, by which the rows are sorted. */
  readonly row_units: number;
  readonly asin: string;
  readonly title: string;
  readonly brand: string;
};

/** The columns that name a product. */
export const asinColumns: readonly TypedColumn<Asin>[] = [
  { name: 'title', type: 'text', cell: ({ title }) => title },
  { name: 'asin', type: 'text', cell: ({ asin }) => asin },
  { name: 'brand', type: 'text', cell: ({ brand }) => brand },
];

/** The questions of a report. */
export type AsinQuestions<Figures> = {
  /** The currencies of amounts in either window. */
  readonly currencies: Question<Dated>;
  /** The products of a page. */
  readonly products: Question<Asin>;
  /** The figures of products in a window. */
  readonly figures: Question<Keyed<Figures>>;
};

/** The questions of a report from its folder, which has `sales.sql` and the file of its figures. */
export function asinQuestions<Figures>(moduleUrl: string, figures: string): AsinQuestions<Figures> {
  const places = { sales: partFile(moduleUrl, 'sales.sql') };
  return {
    currencies: questionFile(import.meta.url, 'asinCurrencies.sql', places),
    products: questionFile(import.meta.url, 'asins.sql', places),
    figures: questionFile(moduleUrl, figures, places),
  };
}

/** Writes all rows of a report, in pages of at most `most` rows. */
export async function writeAsins<Figures>(
  { currencies, products, figures }: AsinQuestions<Figures>,
  { most, none }: { readonly most: number; readonly none: Figures },
  { view = '', ...periods }: Periods & { readonly view?: string },
  { channel, warehouse, limits }: ReportContext,
  write: Write<Compared<Asin, Figures>>,
): Promise<void> {
  await warehouse.read([0, channel.channelNumber], limits, async (ask) => {
    const chosen = { channel: channel.channelNumber, ...datesOf(periods), view };
    const found = await ask(currencies, chosen);
    const parameters = { ...chosen, ...(await readChannelConversion(ask, channel, found)), most };
    await writeCompared(
      {
        most,
        start: { units: Number.MAX_SAFE_INTEGER, product: '' },
        page: (behind) => ask(products, { ...parameters, ...behind }),
        behindOf: ({ row_units, asin }) => ({ units: row_units, product: asin }),
        keyOf: ({ asin }) => asin,
        read: (keys, window) => ask(figures, { ...parameters, ...window, keys }),
        none,
      },
      dateWindowsOf(periods),
      write,
    );
  });
}
