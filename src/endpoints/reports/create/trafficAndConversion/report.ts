/** Traffic of products and what came of it, product by product. */

import type { Channel } from '../../../../access/channels.ts';
import { localDay } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask, Parameters } from '../../../../engine/warehouse.ts';
import type { Cell } from '../../../../report/csv.ts';
import { currencyPlaces, type Sum } from '../../../../report/money.ts';
import { readFactors } from '../../../../report/rates.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import { columnsOf, type ReportKind } from '../kind.ts';

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

const texts = ['title', 'productSku', 'sku', 'brand'];
const figures = [
  ...[
    'pageViews',
    'priorPageViews',
    'orderedRevenue',
    'priorOrderedRevenue',
    'orderedUnits',
    'priorOrderedUnits',
    'price',
  ],
  ...[
    'unitsPerView',
    'priorUnitsPerView',
    'unitsPerSession',
    'priorUnitsPerSession',
    'sessions',
    'priorSessions',
  ],
  ...[
    'mobileSessionsPercentage',
    'priorMobileSessionsPercentage',
    'buyboxWinPercentage',
    'priorBuyboxWinPercentage',
  ],
];
const columnsOfView = {
  parents: columnsOf(['title', 'productSku', ...figures], texts),
  skus: columnsOf(['title', 'productSku', 'sku', 'brand', ...figures], texts),
};

/** So many rows are asked for at a time: their figures and texts fit in memory however many products there are. */
const pageRowsMax = 100_000;
/** Behind the pairs of views, revenue and units. */
const placeOfPrice = 6;
const percentPlaces = 2;
const ratioPlaces = 4;

/**
 * A row for each parent product, or for each SKU. The price of a SKU is that of its offer, as it is now; of a parent product, which has no
 * offer of its own, what a unit was sold for on average.
 */
export const trafficAndConversion = trafficByPages(pageRowsMax);

/** The same, asked for by pages of so many rows. */
export function trafficByPages(most: number): ReportKind<'trafficAndConversion'> {
  return {
    reportType: 'trafficAndConversion',
    columns: ({ view }) => columnsOfView[view],
    async rows(options, { channel, warehouse, limits }, put) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
        const asked = { ...(await whatToAsk(ask, channel, options)), most };
        let behind = { views: Number.MAX_SAFE_INTEGER, product: '', name: '' };
        for (let count = most; count === most; ) {
          count = 0;
          for await (const rows of stream<ParentRow | SkuRow>(trafficOf[options.view], {
            ...asked,
            ...behind,
          })) {
            await put(rows.map((row) => cellsOf(row, channel, options)));
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

/** The parameters: both windows as dates, and the factors of foreign revenue. */
async function whatToAsk(
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

function cellsOf(
  row: ParentRow | SkuRow,
  { currency }: Channel,
  { priorFromDate }: Options,
): Cell[] {
  const places = currencyPlaces(currency);
  const pricePlaces = Math.max(2, places);
  const now = windowCells(row, '', places);
  const before =
    priorFromDate === undefined ? now.map(() => null) : windowCells(row, 'prior_', places);
  const both = now.flatMap((cell, place) => [cell, before[place]!]);
  const cells = (texts: readonly string[], price: Cell) => [
    ...texts,
    ...both.slice(0, placeOfPrice),
    price,
    ...both.slice(placeOfPrice),
  ];
  if (!('sku' in row))
    return cells(
      [row.title, row.product_sku],
      ratioCell(revenueOf(row, ''), counted(row.units), pricePlaces),
    );
  const offered = row.price > 0n ? sumCell({ exact: row.price, converted: 0 }, pricePlaces) : null;
  return cells([row.title, row.product_sku, row.sku, row.brand], offered);
}

function windowCells(row: ParentRow, window: Window, places: number): Cell[] {
  const views = row[`${window}page_views`];
  const sessions = row[`${window}sessions`];
  const units = row[`${window}units`];
  return [
    views,
    sumCell(revenueOf(row, window), places),
    units,
    countRatioCell(units, views, ratioPlaces),
    countRatioCell(units, sessions, ratioPlaces),
    sessions,
    countRatioCell(row[`${window}mobile_sessions`], sessions, percentPlaces, 100),
    ratioCell(
      { exact: row[`${window}buy_box_weighted`], converted: 0 },
      counted(row[`${window}buy_box_views`]),
      percentPlaces,
    ),
  ];
}

function revenueOf(row: ParentRow, window: Window): Sum {
  return { exact: row[`${window}revenue`], converted: row[`${window}revenue_converted`] };
}
