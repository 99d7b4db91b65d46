/** The traffic of products, and the units and revenue that it led to. */

import { withSmallHeaps } from '../../../../engine/heaps.ts';
import { bodyFile, questionFile } from '../../../../engine/question.ts';
import { type Dated, readConversion } from '../../../../report/conversion.ts';
import { currencyPlaces, type Sum } from '../../../../report/money.ts';
import { productOwners } from '../../../../report/productOwners.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import type { Compared } from '../../../../report/withComparison.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';
import { datesOf, figureColumns, pageRowsMax, type WindowRow, writePages } from '../windows.ts';

type Options = ReportOptions['trafficAndConversion'];

/** The figures of a row in one window; revenue in the channel's currency. */
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
  /** Page views of the period, which the rows are sorted by. */
  readonly row_views: number;
  readonly title: string;
  readonly product_sku: string;
  /** Of the view of SKUs alone, as are brand and price. */
  readonly sku?: string;
  readonly brand?: string;
  /** 0 where it is unknown. */
  readonly price?: bigint;
};

const views = ['page_views', 'sessions', 'mobile_sessions', 'buy_box_views'];

/** A view: its parts of the body, the columns of a row, and those that identify it. */
type View = {
  readonly members: string;
  readonly row: readonly string[];
  readonly rowKey: readonly string[];
  /** The ids that figures have of an item. */
  readonly productIds: readonly string[];
  /** The condition that the traffic of a row counts. */
  readonly counts: string;
  /** How titles come to the rows where they are no columns of them. */
  readonly title?: { readonly column: string; readonly join: string };
};

/** The condition that traffic is in either window. */
const inWindows = `((day >= {first:Date} AND day <= {last:Date})
  OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))`;

function trafficOf({ members, row, rowKey, productIds, counts, title }: View) {
  const figureNames = [...views, 'units', 'buy_box_weighted', 'revenue', 'revenue_converted'];
  return questionFile<WindowRow<Row, Figures>>(import.meta.url, 'trafficAndConversion.sql', {
    members: bodyFile(import.meta.url, members),
    ...productOwners,
    inWindows,
    row,
    rowKey,
    productIds,
    counts,
    lastProductIds: productIds.map(
      (id) => `argMax(${id}, (last_day, product_id)) FILTER (WHERE ${id} <> '') AS ${id}`,
    ),
    figures: [
      "CASE WHEN sku = '' THEN product_id ELSE '' END AS figure_product",
      ...views.map((name) => `CASE WHEN ${counts} THEN ${name} ELSE 0 END AS ${name}`),
      `CASE WHEN ${counts} THEN buy_box_weighted ELSE amount(0) END AS buy_box_weighted`,
      'units',
      'unconverted(revenue, currency) AS revenue_exact',
      'converted(revenue, currency, day) AS revenue_converted',
    ],
    sums: [
      ...[...views, 'units'].map((name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`),
      'sum(buy_box_weighted) AS buy_box_weighted',
      'sum(revenue_exact) AS revenue',
      'CAST(sum(revenue_converted) AS DOUBLE) AS revenue_converted',
    ],
    answer: [
      ...(title ? [title.column] : []),
      ...row.map((name) => `sums.${name} AS ${name}`),
      'is_current',
      ...figureNames,
    ],
    titles: title ? bodyFile(import.meta.url, title.join) : '',
  });
}

const questions = {
  parents: trafficOf({
    members: 'parents.sql',
    row: ['row_views', 'product_sku', 'titled_sku'],
    rowKey: ['product_sku'],
    productIds: ['product_id', 'parent_product_id'],
    // All SKUs of a product repeat its traffic.
    counts: 'repeats_traffic = 0',
    title: { column: "coalesce(entry.title, '') AS title", join: 'parentTitles.sql' },
  }),
  skus: trafficOf({
    members: 'skus.sql',
    row: ['row_views', 'title', 'product_sku', 'sku', 'brand', 'price'],
    rowKey: ['product_sku', 'sku'],
    productIds: ['product_id'],
    counts: 'true',
  }),
};
const trafficSize = questionFile<{ readonly traffic_rows: number }>(
  import.meta.url,
  'trafficSize.sql',
  { inWindows },
);
/** The report on SKUs spills to disk if it reads more rows of traffic. */
const rowsInMemoryMax = 500_000;
const currenciesQuestion = questionFile<Dated>(import.meta.url, 'currencies.sql', { inWindows });

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
 * One row per parent product or per SKU. The price of a SKU is that of its present offer; the price
 * of a parent product, which has no offer of its own, is the average price of the units sold.
 */
export const trafficAndConversion = trafficByPages(pageRowsMax);

/** The same report, read by pages of so many rows, and from so many rows of traffic in memory. */
export function trafficByPages(
  most: number,
  inMemoryMax = rowsInMemoryMax,
): Report<'trafficAndConversion', Compared<Row, Figures>> {
  return {
    reportType: 'trafficAndConversion',
    channelKind: 'seller',
    columns: (options, { currency }) => columnsOf(options, currencyPlaces(currency)),
    async rows({ view, ...options }, { channel, warehouse, limits }, write) {
      const windows = { channel: channel.channelNumber, ...datesOf(options) };
      const [size] = view === 'skus' ? await warehouse.ask(trafficSize, windows, limits) : [];
      const spills = size !== undefined && size.traffic_rows > inMemoryMax;
      const compute = () =>
        warehouse.read([0, channel.channelNumber], { ...limits, spills }, async (ask, stream) => {
          const sold = await ask(currenciesQuestion, windows);
          const parameters = { ...windows, ...(await readConversion(ask, channel, sold)), most };
          await writePages(
            {
              most,
              start: { views: Number.MAX_SAFE_INTEGER, product: '', name: '' },
              read: (behind) => stream(questions[view], { ...parameters, ...behind }),
              behindOf: ({ row_views, product_sku, sku = '' }) => ({
                views: row_views,
                product: product_sku,
                name: sku,
              }),
              isSame: (a, b) => a.product_sku === b.product_sku && a.sku === b.sku,
              none: noFigures,
            },
            write,
          );
        });
      await (spills ? withSmallHeaps(compute) : compute());
    },
  };
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
