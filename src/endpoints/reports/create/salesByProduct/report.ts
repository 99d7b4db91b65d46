/** Reports the sales and the stock of a channel's products. */

import { type Channel, primaryMarketplace } from '../../../../access/channels.ts';
import { isoInstant } from '../../../../calendar/period.ts';
import { spansOf } from '../../../../calendar/windows.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { currencyPlaces, type Sum } from '../../../../figures/money.ts';
import type { Cell } from '../../../../report/csv.ts';
import { type ProductDetails, readDetails } from '../../../../report/productSales/details.ts';
import { compareProducts, productPage } from '../../../../report/productSales/pages.ts';
import {
  type ProductParameters,
  readParameters,
  unitPricePlaces,
} from '../../../../report/productSales/parameters.ts';
import type { Digits, TypedColumn } from '../../../../report/typedColumns.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';

type Options = ReportOptions['salesByProduct'];

/** Units ordered in the last days before the end of the period. */
type UnitsBefore = {
  readonly sku: string;
  readonly units_30: number;
  readonly units_60: number;
  readonly units_90: number;
};
type Row = ProductDetails & {
  /** Units available at the end of the period; null if no snapshot has them. */
  readonly available: number | null;
  readonly before: UnitsBefore | undefined;
};

const unitsBefore = questionFile<UnitsBefore>(import.meta.url, 'unitsBefore.sql');
const unitsAvailable = questionFile<{ readonly sku: string; readonly available: number }>(
  import.meta.url,
  'unitsAvailable.sql',
);

const mostSoldFirst = { sortKey: 'totalSales', sortOrder: 'desc' } as const;
/** Rows of a page: they fit in memory for any number of products. */
const rowsMax = 20_000;
const secondsPerDay = 86_400;
const percentPlaces = 2;
const coverPlaces = 1;

/** One row per product that was sold in the period, the most sold first. */
export const salesByProduct = productsByPages(rowsMax);

/** The same report, read in pages of at most `most` rows. */
export function productsByPages(most: number): Report<'salesByProduct', Row> {
  return {
    reportType: 'salesByProduct',
    columns: columnsOf,
    async rows(options, { channel, warehouse, limits }, write) {
      const { timezone: zone, includeTax } = options;
      const spans = spansOf(options);
      const scope = { channel, zone, spans, includeTax };
      const period = { ...scope, spans: spans.slice(0, 1) };
      const list = { ...options, searchText: '', ...mostSoldFirst };
      await warehouse.read([0, channel.channelNumber], limits, async (ask) => {
        const parameters = await readParameters(ask, scope);
        const page = productPage(channel.kind, list, parameters);
        const chosen = { ...parameters, ...page.parameters, limit: most };
        for (let offset = 0, count = most; count === most; offset += most) {
          const rows = await ask(page.question, { ...chosen, offset });
          count = rows.length;
          const products = await compareProducts(ask, period, parameters, rows);
          const details = await readDetails(ask, period, parameters, products);
          const availableOf = await readAvailable(ask, parameters, details);
          const stocked = [...availableOf].filter(([, units]) => units > 0).map(([sku]) => sku);
          const beforeOf = await readUnitsBefore(ask, parameters, stocked, options);
          await write(
            details.map((one) => ({
              ...one,
              available: availableOf.get(one.sku) ?? null,
              before: beforeOf.get(one.sku),
            })),
          );
        }
      });
    },
  };
}

/** Reads each SKU's units available at the end of the period. */
async function readAvailable(
  ask: Ask,
  parameters: ProductParameters,
  products: readonly ProductDetails[],
): Promise<Map<string, number>> {
  const items = products.map(({ sku }) => sku).filter((sku) => sku !== '');
  const found = items.length === 0 ? [] : await ask(unitsAvailable, { ...parameters, items });
  return new Map(found.map(({ sku, available }) => [sku, available]));
}

/** Reads the units of SKUs ordered before the end of the period. */
async function readUnitsBefore(
  ask: Ask,
  { channel }: ProductParameters,
  items: readonly string[],
  { toDate: to }: Options,
): Promise<Map<string, UnitsBefore>> {
  if (items.length === 0) return new Map();
  const from = (days: number) => to + 1 - days * secondsPerDay;
  const found = await ask(unitsBefore, {
    channel,
    items,
    to,
    from30: from(30),
    from60: from(60),
    from90: from(90),
    firstUtc: Math.floor(from(90) / secondsPerDay),
    lastUtc: Math.floor(to / secondsPerDay),
  });
  return new Map(found.map((one) => [one.sku, one]));
}

/** The days that the available units last. */
function daysCover({ available, before }: Row): Cell {
  if (available === null) return null;
  if (available === 0) return (0).toFixed(coverPlaces);
  if (before === undefined) return null;
  const { units_30, units_60, units_90 } = before;
  if (units_30 > 0) return countRatioCell(available * 30, units_30, coverPlaces);
  if (units_60 > 0) return countRatioCell(available * 60, units_60, coverPlaces);
  return countRatioCell(available * 90, units_90, coverPlaces);
}

function statusOf({ entry, available }: Row): string {
  if (available === 0) return 'outOfStock';
  return entry === undefined ? '' : 'active';
}

const fulfillmentChannels: Readonly<Record<number, string>> = { 0: 'MFN', 1: 'AFN' };

function columnsOf(
  { timezone }: Options,
  { currency, kind, marketplace }: Channel,
): TypedColumn<Row>[] {
  const places = currencyPlaces(currency);
  const pricePlaces = unitPricePlaces(currency);
  const number = (name: string, digits: Digits, cell: (row: Row) => Cell): TypedColumn<Row> => ({
    name,
    type: 'number',
    digits,
    cell,
  });
  const text = (name: string, cell: (row: Row) => Cell): TypedColumn<Row> => ({
    name,
    type: 'text',
    cell,
  });
  const instant = (value: number | null) => (value === null ? null : isoInstant(timezone, value));
  const amount = ({ row }: Row, name: 'total_sales' | 'ad_spend' | 'ad_sales'): Sum => ({
    exact: row.current[name],
    converted: row.current[`${name}_converted`],
  });
  const isAsin = marketplace === primaryMarketplace;
  return [
    text('title', (row) => row.title),
    text('brand', (row) => row.entry?.brand ?? ''),
    text('sku', (row) => row.sku),
    text('productSku', (row) => row.productSku),
    text('asin', (row) => (isAsin ? row.productSku : '')),
    text('imageUrl', (row) => row.imageUrl),
    text('linkUrl', (row) => row.linkUrl),
    number('quantity', 'whole', (row) => row.available),
    number('price', pricePlaces, ({ price }) =>
      price === null ? null : sumCell(price, pricePlaces),
    ),
    number(kind === 'vendor' ? 'poValue' : 'totalSales', places, (row) =>
      sumCell(amount(row, 'total_sales'), places),
    ),
    number(
      kind === 'vendor' ? 'unitsOrdered' : 'unitsSold',
      'whole',
      ({ row }) => row.current.units_sold,
    ),
    number('avPrice', pricePlaces, (row) =>
      ratioCell(amount(row, 'total_sales'), counted(row.row.current.units_sold), pricePlaces),
    ),
    text('lastSold', (row) => instant(row.lastSold.current)),
    text('noQuantitySinceTime', (row) => instant(row.outOfStockSince.current)),
    number('daysCover', coverPlaces, daysCover),
    number('adSpend', places, (row) => sumCell(amount(row, 'ad_spend'), places)),
    number('adSales', places, (row) => sumCell(amount(row, 'ad_sales'), places)),
    number('acos', percentPlaces, (row) =>
      ratioCell(amount(row, 'ad_spend'), amount(row, 'ad_sales'), percentPlaces, 100),
    ),
    number('tacos', percentPlaces, (row) =>
      ratioCell(amount(row, 'ad_spend'), amount(row, 'total_sales'), percentPlaces, 100),
    ),
    text(
      'fulfillmentChannel',
      ({ entry }) => fulfillmentChannels[entry?.fulfilled_by_marketplace ?? -1] ?? '',
    ),
    text('status', statusOf),
  ];
}
