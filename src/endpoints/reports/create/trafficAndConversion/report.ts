/** Traffic of products and what came of it, product by product. */

import type { Channel } from '../../../../access/channels.ts';
import { localDay } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask, Parameters } from '../../../../engine/warehouse.ts';
import type { Cell, Column } from '../../../../report/csv.ts';
import { currencyPlaces, type Sum } from '../../../../report/money.ts';
import { readFactors } from '../../../../report/rates.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';

type Options = ReportOptions['trafficAndConversion'];

/** What is counted in a window, and revenue in the channel's currency. */
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
/** Whose figures a column holds: those of the reporting period, or of the comparison period. */
type Window = '' | 'prior_';
type ParentRow = { readonly [Name in keyof Figures as `${Window}${Name}`]: Figures[Name] } & {
  readonly title: string;
  readonly product_sku: string;
};
type SkuRow = ParentRow & {
  readonly sku: string;
  readonly brand: string;
  /** 0 where it is not known. */
  readonly price: bigint;
};

const trafficCurrencies = questionFile<{ currency: string; first: number; last: number }>(
  import.meta.url,
  'trafficCurrencies.sql',
);
const trafficOf = {
  parents: questionFile<ParentRow>(import.meta.url, 'trafficParents.sql'),
  skus: questionFile<SkuRow>(import.meta.url, 'trafficSkus.sql'),
};

/** A row of the report: of one product, or of one SKU, which has a name, a brand and an offer. */
type Row = {
  readonly title: string;
  readonly productSku: string;
  readonly sku: string;
  readonly brand: string;
  readonly current: Figures;
  /** Undefined without a comparison period. */
  readonly prior: Figures | undefined;
  readonly price: Cell;
};

/** So many rows are asked for at a time: their figures and texts fit in memory however many products there are. */
const pageRowsMax = 100_000;
const percentPlaces = 2;
const ratioPlaces = 4;

/**
 * One row per parent product or per SKU. The price of a SKU is that of its present offer; the price
 * of a parent product, which has no offer of its own, is the average price of the units sold.
 */
export const trafficAndConversion = trafficByPages(pageRowsMax);

/** The same report, read by pages of so many rows. */
export function trafficByPages(most: number): Report<'trafficAndConversion', Row> {
  return {
    reportType: 'trafficAndConversion',
    columns: ({ view }, { currency }) => columnsOf(view, currencyPlaces(currency)),
    async rows(options, { channel, warehouse, limits }, write) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
        const parameters = { ...(await parametersOf(ask, channel, options)), most };
        let behind = { views: Number.MAX_SAFE_INTEGER, product: '', name: '' };
        for (let count = most; count === most; ) {
          count = 0;
          for await (const rows of stream<ParentRow | SkuRow>(trafficOf[options.view], {
            ...parameters,
            ...behind,
          })) {
            await write(rows.map((row) => rowOf(row, channel, options)));
            count += rows.length;
            const last = rows.at(-1)!;
            behind = {
              views: last.page_views,
              product: last.product_sku,
              name: 'sku' in last ? last.sku : '',
            };
          }
        }
      });
    },
  };
}

function columnsOf(view: Options['view'], places: number): Column<Row>[] {
  const number = (name: string, cell: (row: Row) => Cell): Column<Row> => ({
    name,
    type: 'number',
    cell,
  });
  /** A figure of the period, and the same figure of the comparison period. */
  const compared = (name: string, cell: (figures: Figures) => Cell) => [
    number(name, ({ current }) => cell(current)),
    number(`prior${name[0]!.toUpperCase()}${name.slice(1)}`, ({ prior }) =>
      prior === undefined ? null : cell(prior),
    ),
  ];
  return [
    { name: 'title', type: 'text', cell: (row) => row.title },
    { name: 'productSku', type: 'text', cell: (row) => row.productSku },
    ...(view === 'skus' ? skuColumns : []),
    ...compared('pageViews', (figures) => figures.page_views),
    ...compared('orderedRevenue', (figures) => sumCell(revenueOf(figures), places)),
    ...compared('orderedUnits', (figures) => figures.units),
    number('price', (row) => row.price),
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
  { name: 'sku', type: 'text', cell: (row) => row.sku },
  { name: 'brand', type: 'text', cell: (row) => row.brand },
];

/** The parameters: both windows as dates, and the factors of foreign revenue. */
async function parametersOf(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  options: Options,
): Promise<Parameters> {
  const { fromDate, toDate, priorFromDate, priorToDate, timezone: zone } = options;
  const windows = {
    first: localDay(zone, fromDate),
    last: localDay(zone, toDate),
    priorFirst: priorFromDate === undefined ? 1 : localDay(zone, priorFromDate),
    priorLast: priorToDate === undefined ? 0 : localDay(zone, priorToDate),
  };
  const foreign = (await ask(trafficCurrencies, { channel, ...windows })).filter(
    (sold) => sold.currency !== currency,
  );
  const asked = { channel, ...windows, comparing: priorFromDate === undefined ? 0 : 1, currency };
  if (foreign.length === 0)
    return { ...asked, converting: 0, currencies: [], firstFactor: 0, days: 0, factors: [] };
  const first = Math.min(...foreign.map((sold) => sold.first));
  const last = Math.max(...foreign.map((sold) => sold.last));
  const currencies = foreign.map((sold) => sold.currency);
  const factor = await readFactors(ask, new Set(currencies), currency, { first, last });
  const days = last - first + 1;
  const factors = currencies.flatMap((code) =>
    Array.from({ length: days }, (_, day) => factor(code, first + day)),
  );
  return { ...asked, converting: 1, currencies, firstFactor: first, days, factors };
}

function rowOf(row: ParentRow | SkuRow, { currency }: Channel, { priorFromDate }: Options): Row {
  const places = Math.max(2, currencyPlaces(currency));
  const current = figuresOf(row, '');
  const offered = 'sku' in row;
  return {
    title: row.title,
    productSku: row.product_sku,
    sku: offered ? row.sku : '',
    brand: offered ? row.brand : '',
    current,
    prior: priorFromDate === undefined ? undefined : figuresOf(row, 'prior_'),
    price: !offered
      ? ratioCell(revenueOf(current), counted(current.units), places)
      : row.price > 0n
        ? sumCell({ exact: row.price, converted: 0 }, places)
        : null,
  };
}

function figuresOf(row: ParentRow, window: Window): Figures {
  return {
    page_views: row[`${window}page_views`],
    sessions: row[`${window}sessions`],
    mobile_sessions: row[`${window}mobile_sessions`],
    buy_box_weighted: row[`${window}buy_box_weighted`],
    buy_box_views: row[`${window}buy_box_views`],
    units: row[`${window}units`],
    revenue: row[`${window}revenue`],
    revenue_converted: row[`${window}revenue_converted`],
  };
}

function revenueOf({ revenue, revenue_converted }: Figures): Sum {
  return { exact: revenue, converted: revenue_converted };
}
