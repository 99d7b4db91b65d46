/** A seller's units in the marketplace's warehouses: three reports with different figures. */
import { isoDate, localDay } from '../../../calendar/period.ts';
import { readAmount } from '../../cells/money.ts';
import { RowSums } from '../../cells/sums.ts';
import type { inventoryReports } from '../../datasets/inventory.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { type InferredProduct, inferProducts } from '../inferred.ts';
import { isOwnCurrency } from '../marketplaces.ts';
import {
  type CellsOf,
  type Columns,
  day,
  known,
  needed,
  optional,
  plainTitle,
  type TableDocument,
  tableDocument,
  text,
  units,
  unitsOrNone,
} from '../table.ts';
import { Witnesses } from '../witnesses.ts';

const countFields = [
  'available',
  'reserved',
  'inbound',
  'unfulfillable',
  'fcTransfer',
  'unitsShipped7',
  'unitsShipped30',
  'unitsShipped60',
  'unitsShipped90',
] as const;
const amountTitles = {
  storageVolume: 'storage-volume',
  estimatedStorageCostNextMonth: 'estimated-storage-cost-next-month',
} as const;
const sumShape = {
  key: ['date', 'sku'],
  figures: [...countFields, ...Object.keys(amountTitles)],
};

/** Columns of all three reports. */
const shared = {
  asin: optional('asin', text),
  fnsku: optional('fnsku', text),
  condition: optional('condition', text),
};

/** A row of any of the reports. Amounts are as written. */
type Snapshot = CellsOf<typeof shared> & {
  readonly sku: string;
  readonly title: string;
  readonly price: string;
  readonly currency?: string;
  /** If it is missing, the report is about the day that the import names. */
  readonly date?: string;
  readonly storageType?: string;
  /** False if the seller ships the product; undefined if the report does not say. */
  readonly fulfilledByMarketplace?: boolean;
} & Partial<Record<(typeof countFields)[number], number | undefined>> &
  Partial<Record<keyof typeof amountTitles, string>>;

/** GET_FBA_INVENTORY_PLANNING_DATA. */
export const inventoryPlanning = inventoryDocument({
  name: 'inventoryPlanning',
  about: 'FBA inventory planning (TSV or CSV, GET_FBA_INVENTORY_PLANNING_DATA)',
  report: 'planning',
  columns: {
    ...shared,
    date: known('snapshot-date', day),
    sku: known('sku', text),
    title: optional('product-name', text),
    price: needed('your-price', text),
    currency: optional('currency', text),
    marketplace: optional('marketplace', text),
    storageType: optional('storage-type', text),
    available: known('available', units),
    reserved: needed(['reserved-quantity', 'total reserved quantity'], units),
    inbound: needed('inbound-quantity', units),
    unfulfillable: needed('unfulfillable-quantity', units),
    // Only newer documents have it.
    fcTransfer: optional('reserved fc transfer', units),
    unitsShipped7: needed('units-shipped-t7', unitsOrNone),
    unitsShipped30: known('units-shipped-t30', unitsOrNone),
    unitsShipped60: needed('units-shipped-t60', unitsOrNone),
    unitsShipped90: needed('units-shipped-t90', unitsOrNone),
    storageVolume: needed(amountTitles.storageVolume, text),
    estimatedStorageCostNextMonth: needed(amountTitles.estimatedStorageCostNextMonth, text),
  },
  marketplace: 'marketplace',
  key: ['date', 'sku', 'fnsku', 'condition'],
  snapshotOf: (cells) => cells,
});

/** GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT. */
export const restockInventory = inventoryDocument({
  name: 'restock',
  about:
    'FBA restock recommendations, for the day of from and to, or for today (TSV or CSV, GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT)',
  report: 'restock',
  columns: {
    ...shared,
    sku: known('merchant sku', text),
    title: optional('product name', text),
    price: needed('price', text),
    currency: optional('currency code', text),
    country: optional('country', text),
    fulfilledBy: optional('fulfilled by', text),
    available: known('available', units),
    fcTransfer: known('fc transfer', units),
    fcProcessing: needed('fc processing', units),
    customerOrder: needed('customer order', units),
    inbound: needed('inbound', units),
    unfulfillable: needed('unfulfillable', units),
    unitsShipped30: known('units sold last 30 days', unitsOrNone),
  },
  marketplace: 'country',
  key: ['sku', 'fnsku', 'condition'],
  snapshotOf: (cells) => ({
    ...cells,
    reserved: cells.fcTransfer + cells.fcProcessing + cells.customerOrder,
    ...(cells.fulfilledBy !== '' && {
      fulfilledByMarketplace: !/^(?:merchant|seller|mfn)\b/i.test(cells.fulfilledBy),
    }),
  }),
});

/**
 * GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA, or with products no longer offered
 * GET_FBA_MYI_ALL_INVENTORY_DATA.
 */
export const unsuppressedInventory = inventoryDocument({
  name: 'unsuppressedInventory',
  about:
    'FBA inventory, for the day of from and to, or for today (TSV or CSV, GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA or GET_FBA_MYI_ALL_INVENTORY_DATA)',
  report: 'unsuppressed',
  columns: {
    ...shared,
    sku: known('sku', text),
    title: optional('product-name', text),
    price: needed('your-price', text),
    isListed: optional('afn-listing-exists', text),
    available: known('afn-fulfillable-quantity', units),
    reserved: known('afn-reserved-quantity', units),
    inboundWorking: needed('afn-inbound-working-quantity', units),
    inboundShipped: known('afn-inbound-shipped-quantity', units),
    inboundReceiving: needed('afn-inbound-receiving-quantity', units),
    unfulfillable: needed('afn-unsellable-quantity', units),
  },
  key: ['sku', 'fnsku', 'condition'],
  snapshotOf: (cells) => ({
    ...cells,
    inbound: cells.inboundWorking + cells.inboundShipped + cells.inboundReceiving,
    ...(/^no$/i.test(cells.isListed) && { fulfilledByMarketplace: false }),
  }),
});

type Layout<Table extends Columns> = Pick<
  TableDocument<Table>,
  'name' | 'about' | 'columns' | 'marketplace' | 'key'
> & {
  readonly report: Exclude<(typeof inventoryReports)[number], 'rows'>;
  readonly snapshotOf: (cells: CellsOf<Table>) => Snapshot;
};

function inventoryDocument<Table extends Columns>({
  report,
  snapshotOf,
  ...layout
}: Layout<Table>) {
  return tableDocument<Table>({
    ...layout,
    tables: ['inventory'],
    title: plainTitle,
    open(session) {
      session.coverPartition('inventory', report);
      const { take, end } = takerOf(session, report, 'date' in layout.columns);
      return {
        row(cells, line) {
          const row = snapshotOf(cells);
          if (isOwnCurrency(row.currency, session)) take(row, line);
          return undefined;
        },
        end,
      };
    },
  });
}

/** The maximum number of rows that wait in memory, about a kilobyte each. */
const rowsMax = 1_000_000;

/**
 * Takes the rows of a document. They wait for its end, because only all rows together show how it
 * writes amounts.
 */
function takerOf(
  session: ImportSession,
  report: string,
  hasDate: boolean,
): { readonly take: (row: Snapshot, line: number) => void; readonly end: () => Promise<void> } {
  const importDate = hasDate ? undefined : isoDate(dayOfImport(session));
  const rows: { readonly row: Snapshot; readonly line: number }[] = [];
  return {
    take(row, line) {
      if (rows.length >= rowsMax)
        throw new DocumentRefused(
          `the document has more than ${rowsMax.toLocaleString('en')} rows: split it`,
        );
      rows.push({ row, line });
    },
    async end() {
      const sums = new RowSums(session.rows('inventory'), sumShape);
      const products = new Map<string, InferredProduct>();
      const read = amountsReader(
        rows.map(({ row }) => row),
        session,
      );
      for (const { row, line } of rows) {
        const { sku, asin, title, currency = '', storageType, fulfilledByMarketplace } = row;
        const { price, ...amounts } = read(row);
        const unread = Object.entries(amounts).find(([, amount]) => amount === undefined)?.[0];
        if (unread !== undefined) {
          session.reject(line, `${amountTitles[unread as 'storageVolume']} must be an amount`);
          continue;
        }
        const counts = Object.fromEntries(countFields.map((field) => [field, row[field]]));
        const date = row.date ?? importDate;
        const ids = { date, sku, report, asin, title };
        const fields = { ...ids, fulfilledByMarketplace, storageType, currency };
        if (!sums.add({ ...fields, ...counts, ...amounts }, line) || products.has(sku)) continue;
        // Who ships it may change later, so the snapshot records that the seller ships it today.
        const isTheirs = fulfilledByMarketplace !== false && { fulfilledByMarketplace: true };
        const product = { sku, productId: asin, title, ...isTheirs };
        products.set(sku, { product: { ...product, price }, line: 0 });
      }
      await sums.stage(session.flush);
      await inferProducts(session, products);
    },
  };
}

type Amounts = Readonly<Record<'price' | keyof typeof amountTitles, string | undefined>>;

/**
 * Reads the amounts of a row in the style of all rows; "" if there is none, undefined if one is
 * unreadable.
 */
function amountsReader(
  rows: readonly Snapshot[],
  session: ImportSession,
): (row: Snapshot) => Amounts {
  const fields = ['price', 'storageVolume', 'estimatedStorageCostNextMonth'] as const;
  const witnesses = new Witnesses(session);
  // Volumes usually have three decimals: only an unambiguous one shows the mark.
  for (const row of rows)
    for (const field of fields)
      witnesses.take(field === 'storageVolume' ? 'percentage' : 'amount', row[field] ?? '');
  const { mark } = witnesses.notation;
  return (row) =>
    Object.fromEntries(
      fields.map((field) => [field, row[field] ? readAmount(row[field], mark) : '']),
    ) as Amounts;
}

/** The day of a report that has no dates. */
function dayOfImport({ dateRange, timezone, now }: ImportSession): number {
  if (dateRange === undefined) return localDay(timezone, now);
  if (dateRange.first === dateRange.last) return dateRange.first;
  throw new DocumentRefused(
    'the document is a snapshot of one day: pass that day as from=YYYY-MM-DD&to=YYYY-MM-DD',
  );
}
