/** Reports the traffic of products, and the units and revenue that it led to. */

import { withSmallHeaps } from '../../../../engine/heaps.ts';
import { questionFile } from '../../../../engine/question.ts';
import { currencyPlaces, type Sum } from '../../../../figures/money.ts';
import { type Dated, readChannelConversion } from '../../../../report/conversion.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import type { Compared, Keyed } from '../../../../report/withComparison.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';
import { type Dates, datesOf, figureColumns, pageRowsMax, writeCompared } from '../windows.ts';

type Options = ReportOptions['trafficAndConversion'];

/** The figures of a row in one window, with revenue in the channel's currency. */
type Figures = {
  readonly page_views: number;
  readonly sessions: number;
  readonly mobile_sessions: number;
  readonly buy_box_weighted: bigint;
  readonly buy_box_views: number;
  readonly units: number;
  readonly revenue: bigint;
  readonly revenue_converted: number;
};

type Row = {
  /** Page views of the period, by which the rows are sorted. */
  readonly row_views: number;
  readonly title: string;
  readonly product_sku: string;
  /** Only in the view of SKUs, like brand and price. */
  readonly sku?: string;
  readonly brand?: string;
  /** 0 if it is unknown. */
  readonly price?: bigint;
};

/** The questions of each view: about the rows of a page, and about their figures in a window. */
const questions = {
  parents: {
    rows: questionFile<Row>(import.meta.url, 'parents.sql'),
    figures: questionFile<Keyed<Figures>>(import.meta.url, 'parentFigures.sql'),
  },
  skus: {
    rows: questionFile<Row>(import.meta.url, 'skus.sql'),
    figures: questionFile<Keyed<Figures>>(import.meta.url, 'skuFigures.sql'),
  },
};
const trafficSize = questionFile<{ readonly traffic_rows: number }>(
  import.meta.url,
  'trafficSize.sql',
);
const currencies = questionFile<Dated>(import.meta.url, 'currencies.sql');
/** The prefix of the product id in the key of a row without a SKU; no SKU begins with it. */
const ofProduct = '\t';
/** With more rows of traffic than this, the report on SKUs spills to disk. */
const rowsInMemoryMax = 500_000;

const percentPlaces = 2;
const ratioPlaces = 4;

const noFigures: Figures = {
  page_views: 0,
  sessions: 0,
  mobile_sessions: 0,
  buy_box_weighted: 0n,
  buy_box_views: 0,
  units: 0,
  revenue: 0n,
  revenue_converted: 0,
};

/**
 * One row per parent product or per SKU. The price of a SKU is its current offer's; a parent
 * product has no offer, so its price is the average price of the units sold.
 */
export const trafficAndConversion = trafficByPages(pageRowsMax);

/**
 * The same report, read in pages of at most `most` rows, and spilling above `inMemoryMax` rows of
 * traffic.
 */
export function trafficByPages(
  most: number,
  inMemoryMax = rowsInMemoryMax,
): Report<'trafficAndConversion', Compared<Row, Figures>> {
  return {
    reportType: 'trafficAndConversion',
    channelKind: 'seller',
    columns: (options, { currency }) => columnsOf(options, currencyPlaces(currency)),
    async rows({ view, ...options }, { channel, warehouse, limits }, write) {
      const dates = datesOf(options);
      const chosen = { channel: channel.channelNumber, ...dates };
      const [size] = view === 'skus' ? await warehouse.ask(trafficSize, chosen, limits) : [];
      const spills = size !== undefined && size.traffic_rows > inMemoryMax;
      const { rows, figures } = questions[view];
      const compute = () =>
        warehouse.read([0, channel.channelNumber], { ...limits, spills }, async (ask) => {
          const conversion = await readChannelConversion(
            ask,
            channel,
            await ask(currencies, chosen),
          );
          const parameters = { ...chosen, ...conversion, ofProduct };
          await writeCompared(
            {
              most,
              start: { views: Number.MAX_SAFE_INTEGER, product: '', name: '' },
              page: (behind) => ask(rows, { ...parameters, ...behind, most }),
              behindOf: ({ row_views, product_sku, sku = '' }) => ({
                views: row_views,
                product: product_sku,
                name: sku,
              }),
              keyOf: ({ product_sku, sku }) =>
                sku === '' ? ofProduct + product_sku : (sku ?? product_sku),
              read: (keys, window) => ask(figures, { ...parameters, ...window, keys }),
              none: noFigures,
            },
            options.priorFromDate === undefined ? [dates] : [dates, swapped(dates)],
            write,
          );
        });
      await (spills ? withSmallHeaps(compute) : compute());
    },
  };
}

/** The windows with the comparison period as the period. Both together stay the same. */
function swapped({ first, last, priorFirst, priorLast }: Dates): Dates {
  return { first: priorFirst, last: priorLast, priorFirst: first, priorLast: last };
}

function columnsOf(options: Options, places: number): TypedColumn<Compared<Row, Figures>>[] {
  const pricePlaces = Math.max(2, places);
  const { number, text, compared } = figureColumns<Row, Figures>(options);
  return [
    text('title', (row) => row.title),
    text('productSku', (row) => row.product_sku),
    ...(options.view === 'skus'
      ? [text('sku', ({ sku = '' }) => sku), text('brand', ({ brand = '' }) => brand)]
      : []),
    ...compared('pageViews', 'whole', (figures) => figures.page_views),
    ...compared('orderedRevenue', places, (figures) => sumCell(revenueOf(figures), places)),
    ...compared('orderedUnits', 'whole', (figures) => figures.units),
    number('price', pricePlaces, ({ price, current }) =>
      price === undefined
        ? ratioCell(revenueOf(current), counted(current.units), pricePlaces)
        : price > 0n
          ? sumCell({ exact: price, converted: 0 }, pricePlaces)
          : null,
    ),
    ...compared('unitsPerView', ratioPlaces, ({ units, page_views }) =>
      countRatioCell(units, page_views, ratioPlaces),
    ),
    ...compared('unitsPerSession', ratioPlaces, ({ units, sessions }) =>
      countRatioCell(units, sessions, ratioPlaces),
    ),
    ...compared('sessions', 'whole', (figures) => figures.sessions),
    ...compared('mobileSessionsPercentage', percentPlaces, ({ mobile_sessions, sessions }) =>
      countRatioCell(mobile_sessions, sessions, percentPlaces, 100),
    ),
    ...compared('buyboxWinPercentage', percentPlaces, ({ buy_box_weighted, buy_box_views }) =>
      ratioCell({ exact: buy_box_weighted, converted: 0 }, counted(buy_box_views), percentPlaces),
    ),
  ];
}

function revenueOf({ revenue, revenue_converted }: Figures): Sum {
  return { exact: revenue, converted: revenue_converted };
}
