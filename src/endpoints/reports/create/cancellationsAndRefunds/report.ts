/** Reports the orders of products, and the units cancelled and refunded. */

import { type Channel, primaryMarketplace } from '../../../../access/channels.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { currencyPlaces } from '../../../../figures/money.ts';
import type { Dated } from '../../../../report/conversion.ts';
import type { Cell } from '../../../../report/csv.ts';
import { readOrderExtents, sinceDays } from '../../../../report/sales.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import { webAddress } from '../../../../report/webAddress.ts';
import type { Compared, Keyed } from '../../../../report/withComparison.ts';
import { countRatioCell, minus, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import { readWindows } from '../instants.ts';
import type { Report } from '../report.ts';
import {
  type Amounts,
  amountOf,
  datesOf,
  figureColumns,
  pageRowsMax,
  writeCompared,
} from '../windows.ts';

type Options = ReportOptions['cancellationsAndRefunds'];

type Amount = 'gross' | 'canceled' | 'refunded';
type Units = 'gross_units' | 'canceled_units' | 'refunded_units';

/** The figures of a product in one window. */
type Figures = { readonly [Name in Units]: number } & Amounts<Amount>;

/** The figures, and whether order lines cover no day of the window: then sales are unknown. */
type Known = Figures & { readonly isUncovered: boolean };

type Row = {
  /** Units ordered in the period, by which the rows are sorted. */
  readonly row_units: number;
  /** The SKU, else the platform's product id, else "". */
  readonly product_id: string;
  /** The platform's product id, or "". */
  readonly known_id: string;
  readonly title: string;
  readonly image_url: string;
  readonly link_url: string;
};

const currencies = questionFile<Dated>(import.meta.url, 'currencies.sql');
const products = questionFile<Row>(import.meta.url, 'products.sql');
const figures = questionFile<Keyed<Figures>>(import.meta.url, 'cancellationsAndRefunds.sql');

const percentPlaces = 2;

const none: Figures = {
  gross_units: 0,
  canceled_units: 0,
  refunded_units: 0,
  gross: 0n,
  gross_converted: 0,
  canceled: 0n,
  canceled_converted: 0,
  refunded: 0n,
  refunded_converted: 0,
};

/** One row per SKU with orders or refunds in either window, the most ordered first. */
export const cancellationsAndRefunds = refundsByPages(pageRowsMax);

/** The same report, read in pages of at most `most` rows. */
export function refundsByPages(
  most: number,
): Report<'cancellationsAndRefunds', Compared<Row, Known>> {
  return {
    reportType: 'cancellationsAndRefunds',
    channelKind: 'seller',
    columns: columnsOf,
    async rows(options, { channel, warehouse, limits }, write) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask) => {
        const { parameters, windows } = await readWindows(ask, channel, options, currencies);
        const uncovered = await uncoveredWindows(ask, channel, options);
        await writeCompared(
          {
            most,
            start: { units: Number.MAX_SAFE_INTEGER, product: '' },
            page: (behind) => ask(products, { ...parameters, ...behind, most }),
            behindOf: ({ row_units, product_id }) => ({ units: row_units, product: product_id }),
            keyOf: ({ product_id }) => product_id,
            read: (keys, window) => ask(figures, { ...parameters, ...window, keys }),
            none,
          },
          windows,
          (rows) =>
            write(
              rows.map((row) => ({
                ...row,
                current: { ...row.current, isUncovered: uncovered.current },
                prior: { ...row.prior, isUncovered: uncovered.prior },
              })),
            ),
        );
      });
    },
  };
}

/** Finds the windows that end before the local day of the channel's first order line. */
async function uncoveredWindows(
  ask: Ask,
  { channelNumber }: Channel,
  options: Options,
): Promise<{ readonly current: boolean; readonly prior: boolean }> {
  const extents = await readOrderExtents(ask, [channelNumber]);
  const since = sinceDays(extents, options.timezone).get(channelNumber) ?? Infinity;
  const { last, priorLast } = datesOf(options);
  return { current: last < since, prior: priorLast < since };
}

function columnsOf(
  options: Options,
  { currency, marketplace }: Channel,
): TypedColumn<Compared<Row, Known>>[] {
  const places = currencyPlaces(currency);
  const { text, compared } = figureColumns<Row, Known>(options);
  const sales =
    <C extends Cell>(cell: (figures: Known) => C) =>
    (figures: Known): C | null =>
      figures.isUncovered ? null : cell(figures);
  const net = (figures: Figures) =>
    minus(amountOf<Amount>(figures, 'gross'), amountOf<Amount>(figures, 'canceled'));
  return [
    text('productId', (row) => row.product_id),
    text('asin', (row) => (marketplace === primaryMarketplace ? row.known_id : '')),
    text('title', (row) => row.title),
    text('imageUrl', (row) => webAddress(row.image_url)),
    text('linkUrl', (row) => webAddress(row.link_url)),
    ...compared(
      'grossSales',
      places,
      sales((figures) => sumCell(amountOf<Amount>(figures, 'gross'), places)),
    ),
    ...compared(
      'cancelledSales',
      places,
      sales((figures) => sumCell(amountOf<Amount>(figures, 'canceled'), places)),
    ),
    ...compared('cancelRate', percentPlaces, (figures) =>
      ratioCell(
        amountOf<Amount>(figures, 'canceled'),
        amountOf<Amount>(figures, 'gross'),
        percentPlaces,
        100,
      ),
    ),
    ...compared(
      'netSales',
      places,
      sales((figures) => sumCell(net(figures), places)),
    ),
    ...compared(
      'grossQty',
      'whole',
      sales((figures) => figures.gross_units),
    ),
    ...compared('refundedSales', places, (figures) =>
      sumCell(amountOf<Amount>(figures, 'refunded'), places),
    ),
    ...compared('unitsRefunded', 'whole', (figures) => figures.refunded_units),
    ...compared('refundRate', percentPlaces, (figures) =>
      ratioCell(amountOf<Amount>(figures, 'refunded'), net(figures), percentPlaces, 100),
    ),
    ...compared(
      'refundRateUnits',
      percentPlaces,
      ({ gross_units, canceled_units, refunded_units }) =>
        countRatioCell(refunded_units, gross_units - canceled_units, percentPlaces, 100),
    ),
    ...compared(
      'unitsCancelled',
      'whole',
      sales((figures) => figures.canceled_units),
    ),
    text('currency', () => currency),
  ];
}
