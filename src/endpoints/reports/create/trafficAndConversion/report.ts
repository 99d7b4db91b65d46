/** The traffic of products, and the units and revenue that it led to. */

import type { Channel } from '../../../../access/channels.ts';
import { localDay } from '../../../../calendar/period.ts';
import { bodyFile, questionFile } from '../../../../engine/question.ts';
import type { Ask, Parameters } from '../../../../engine/warehouse.ts';
import type { Cell, Column } from '../../../../report/csv.ts';
import { currencyPlaces, type Sum } from '../../../../report/money.ts';
import {
  conversionParameters,
  noConversion,
  purposeOf,
  readFactors,
} from '../../../../report/rates.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';

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

type WindowRow = Figures & {
  readonly is_current: number;
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

/** A row of the report, with the figures of both windows. */
type Row = Pick<WindowRow, 'row_views' | 'title' | 'product_sku' | 'sku' | 'brand' | 'price'> & {
  current: Figures;
  prior: Figures;
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

function trafficOf({ members, row, rowKey, productIds, counts, title }: View) {
  const figureNames = [...views, 'units', 'buy_box_weighted', 'revenue', 'revenue_converted'];
  return questionFile<WindowRow>(import.meta.url, 'trafficAndConversion.sql', {
    members: bodyFile(import.meta.url, members),
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
const currenciesQuestion = questionFile<{ currency: string; first: number; last: number }>(
  import.meta.url,
  'currencies.sql',
);

/** Rows of a page: their figures and texts fit in memory however many products there are. */
const pageRowsMax = 100_000;
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

/** The same report, read by pages of so many rows. */
export function trafficByPages(most: number): Report<'trafficAndConversion', Row> {
  return {
    reportType: 'trafficAndConversion',
    channelKind: 'seller',
    columns: (options, { currency }) => columnsOf(options, currencyPlaces(currency)),
    async rows({ view, ...options }, { channel, warehouse, limits }, write) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
        const parameters = { ...(await parametersOf(ask, channel, options)), most };
        let behind = { views: Number.MAX_SAFE_INTEGER, product: '', name: '' };
        for (let count = most; count === most; ) {
          count = 0;
          for await (const rows of pairs(stream(questions[view], { ...parameters, ...behind }))) {
            await write(rows);
            count += rows.length;
            const { row_views: views, product_sku: product, sku: name = '' } = rows.at(-1)!;
            behind = { views, product, name };
          }
        }
      });
    },
  };
}

/** Joins the figures of both windows, which follow each other, to rows. */
async function* pairs(portions: AsyncIterable<readonly WindowRow[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for await (const portion of portions) {
    const rows: Row[] = [];
    for (const figures of portion) {
      if (last?.product_sku === figures.product_sku && last.sku === figures.sku) {
        last.prior = figures;
        continue;
      }
      if (last) rows.push(last);
      last = figures.is_current
        ? { ...figures, current: figures, prior: noFigures }
        : { ...figures, current: noFigures, prior: figures };
    }
    if (rows.length > 0) yield rows;
  }
  if (last) yield [last];
}

function columnsOf({ view, priorFromDate }: Options, places: number): Column<Row>[] {
  const pricePlaces = Math.max(2, places);
  const isCompared = priorFromDate !== undefined;
  const number = (name: string, cell: (row: Row) => Cell): Column<Row> => ({
    name,
    type: 'number',
    cell,
  });
  /** A figure of the period, and the same figure of the comparison period. */
  const compared = (name: string, cell: (figures: Figures) => Cell) => [
    number(name, ({ current }) => cell(current)),
    number(`prior${name[0]!.toUpperCase()}${name.slice(1)}`, ({ prior }) =>
      isCompared ? cell(prior) : null,
    ),
  ];
  return [
    { name: 'title', type: 'text', cell: (row) => row.title },
    { name: 'productSku', type: 'text', cell: (row) => row.product_sku },
    ...(view === 'skus' ? skuColumns : []),
    ...compared('pageViews', (figures) => figures.page_views),
    ...compared('orderedRevenue', (figures) => sumCell(revenueOf(figures), places)),
    ...compared('orderedUnits', (figures) => figures.units),
    number('price', ({ price, current }) =>
      price === undefined
        ? ratioCell(revenueOf(current), counted(current.units), pricePlaces)
        : price > 0n
          ? sumCell({ exact: price, converted: 0 }, pricePlaces)
          : null,
    ),
    ...compared('unitsPerView', ({ units, page_views }) =>
      countRatioCell(units, page_views, ratioPlaces),
    ),
    ...compared('unitsPerSession', ({ units, sessions }) =>
      countRatioCell(units, sessions, ratioPlaces),
    ),
    ...compared('sessions', (figures) => figures.sessions),
    ...compared('mobileSessionsPercentage', ({ mobile_sessions, sessions }) =>
      countRatioCell(mobile_sessions, sessions, percentPlaces, 100),
    ),
    ...compared('buyboxWinPercentage', ({ buy_box_weighted, buy_box_views }) =>
      ratioCell({ exact: buy_box_weighted, converted: 0 }, counted(buy_box_views), percentPlaces),
    ),
  ];
}

const skuColumns: readonly Column<Row>[] = [
  { name: 'sku', type: 'text', cell: ({ sku = '' }) => sku },
  { name: 'brand', type: 'text', cell: ({ brand = '' }) => brand },
];

/** The parameters: both windows as dates, and the conversion of foreign revenue. */
async function parametersOf(
  ask: Ask,
  owner: Channel,
  { fromDate, toDate, priorFromDate, priorToDate, timezone: zone }: Omit<Options, 'view'>,
): Promise<Parameters> {
  const { channelNumber: channel, currency } = owner;
  const windows = {
    channel,
    first: localDay(zone, fromDate),
    last: localDay(zone, toDate),
    priorFirst: priorFromDate === undefined ? 1 : localDay(zone, priorFromDate),
    priorLast: priorToDate === undefined ? 0 : localDay(zone, priorToDate),
  };
  const sold = await ask(currenciesQuestion, windows);
  const foreign = sold.filter((sales) => sales.currency !== currency);
  if (foreign.length === 0) return { ...windows, ...noConversion(currency) };
  const days = {
    first: Math.min(...foreign.map((sales) => sales.first)),
    last: Math.max(...foreign.map((sales) => sales.last)),
  };
  const currencies = new Set(foreign.map((sales) => sales.currency));
  const factor = await readFactors(ask, currencies, currency, days, purposeOf(owner));
  return { ...windows, ...conversionParameters(currency, currencies, days, factor) };
}

function revenueOf({ revenue, revenue_converted }: Figures): Sum {
  return { exact: revenue, converted: revenue_converted };
}
