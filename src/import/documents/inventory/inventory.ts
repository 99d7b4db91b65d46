/** What of a seller's goods lies in the marketplace's warehouses: three reports, each of which tells other figures of it. */
import { isoDate, localDay } from '../../../calendar/period.ts';
import { countOf } from '../../cells/adCells.ts';
import { decimalMarkOf, localDate, plainAmount } from '../../cells/localCells.ts';
import { RowSums } from '../../cells/sums.ts';
import type { inventoryReports } from '../../datasets/datasets.ts';
import { DocumentRefused } from '../../refused.ts';
import { type Desk, type DocumentKind, type DocumentReader, oneMarketplace } from '../kind.ts';
import { marketplaceOf, marketplaceOfCountry } from '../marketplaces.ts';

/** Where a report tells what, by the titles of its columns in small letters; counts of several columns are added up. */
type Layout = {
  readonly report: Exclude<(typeof inventoryReports)[number], 'rows'>;
  /** The columns that it is recognised by. */
  readonly known: readonly string[];
  readonly sku: string;
  readonly title: string;
  readonly price: string;
  readonly currency?: string;
  readonly marketplace?: string;
  /** The date of the snapshot; without it the import tells. */
  readonly date?: string;
  readonly storageType?: string;
  readonly counts: Readonly<Record<string, readonly string[]>>;
  readonly amounts: Readonly<Record<string, string>>;
  /** Whether a row says that the seller ships the product. */
  readonly isShippedBySeller: (of: (title: string) => string) => boolean;
};

const planning: Layout = {
  report: 'planning',
  known: ['snapshot-date', 'sku', 'available', 'units-shipped-t30'],
  sku: 'sku',
  title: 'product-name',
  price: 'your-price',
  currency: 'currency',
  marketplace: 'marketplace',
  date: 'snapshot-date',
  storageType: 'storage-type',
  counts: {
    available: ['available'],
    reserved: ['reserved-quantity'],
    inbound: ['inbound-quantity'],
    unfulfillable: ['unfulfillable-quantity'],
    unitsShipped7: ['units-shipped-t7'],
    unitsShipped30: ['units-shipped-t30'],
    unitsShipped60: ['units-shipped-t60'],
    unitsShipped90: ['units-shipped-t90'],
    fcTransfer: ['reserved fc transfer'],
  },
  amounts: {
    storageVolume: 'storage-volume',
    estimatedStorageCostNextMonth: 'estimated-storage-cost-next-month',
  },
  isShippedBySeller: () => false,
};

const restock: Layout = {
  report: 'restock',
  known: ['merchant sku', 'available', 'fc transfer', 'units sold last 30 days'],
  sku: 'merchant sku',
  title: 'product name',
  price: 'price',
  currency: 'currency code',
  marketplace: 'country',
  counts: {
    available: ['available'],
    reserved: ['fc transfer', 'fc processing', 'customer order'],
    inbound: ['inbound'],
    unfulfillable: ['unfulfillable'],
    fcTransfer: ['fc transfer'],
    unitsShipped30: ['units sold last 30 days'],
  },
  amounts: {},
  isShippedBySeller: (of) => /^(?:merchant|seller|mfn)\b/i.test(of('fulfilled by')),
};

const unsuppressed: Layout = {
  report: 'unsuppressed',
  known: [
    'sku',
    'afn-fulfillable-quantity',
    'afn-reserved-quantity',
    'afn-inbound-shipped-quantity',
  ],
  sku: 'sku',
  title: 'product-name',
  price: 'your-price',
  counts: {
    available: ['afn-fulfillable-quantity'],
    reserved: ['afn-reserved-quantity'],
    inbound: [
      'afn-inbound-working-quantity',
      'afn-inbound-shipped-quantity',
      'afn-inbound-receiving-quantity',
    ],
    unfulfillable: ['afn-unsellable-quantity'],
  },
  amounts: {},
  isShippedBySeller: (of) => /^no$/i.test(of('afn-listing-exists')),
};

/** Newer titles of a column, and columns that a document may lack: they came later. */
const otherTitles: Readonly<Record<string, string>> = {
  'total reserved quantity': 'reserved-quantity',
};
const lateTitles: readonly string[] = ['reserved fc transfer'];
const titleOf = (name: string) => name.trim().toLowerCase();

/** GET_FBA_INVENTORY_PLANNING_DATA. */
export const inventoryPlanning: DocumentKind = kindOf(
  'inventoryPlanning',
  'FBA inventory planning (TSV or CSV, GET_FBA_INVENTORY_PLANNING_DATA)',
  planning,
);

/** GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT. */
export const restockInventory: DocumentKind = kindOf(
  'restock',
  'FBA restock recommendations, of the day of from and to or of today (TSV or CSV, GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT)',
  restock,
);

/** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA, and with what is no longer offered GET_FBA_MYI_ALL_INVENTORY_DATA. */
export const unsuppressedInventory: DocumentKind = kindOf(
  'unsuppressedInventory',
  'FBA inventory, of the day of from and to or of today (TSV or CSV, GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA or GET_FBA_MYI_ALL_INVENTORY_DATA)',
  unsuppressed,
);

function kindOf(name: string, about: string, layout: Layout): DocumentKind {
  return {
    name,
    about,
    tables: ['inventory'],
    ofChannel: true,
    tabsUnquoted: true,
    recognisesHeader(names) {
      const titles = names.map(titleOf);
      return layout.known.every((title) => titles.includes(title));
    },
    read: (desk) => readerOf(desk, layout),
  };
}

/** A row whose amounts wait until the document has told how it writes them. */
type Waiting = {
  readonly line: number;
  readonly fields: Record<string, unknown>;
  readonly amounts: Readonly<Record<string, string>>;
  readonly product: Record<string, unknown>;
};

/** How many rows may wait, about a kilobyte each. */
const rowsMax = 1_000_000;
const productsBetweenRelief = 10_000;

function readerOf(desk: Desk, layout: Layout): DocumentReader {
  const sums = new RowSums(desk.rows('inventory'), {
    key: ['date', 'sku'],
    figures: [...Object.keys(layout.counts), ...Object.keys(layout.amounts)],
  });
  const importDay = layout.date === undefined ? isoDate(dayOfImport(desk)) : undefined;
  const isOfChannel = oneMarketplace(desk);
  const rows: Waiting[] = [];
  const told = new Map<string, number>();
  let titles: ReadonlyMap<string, string> | undefined;
  desk.partOf('inventory', layout.report);

  return {
    record(record, line) {
      titles ??= titlesOf(record, layout);
      const of = (title: string) => (titles!.has(title) ? record[titles!.get(title)!]!.trim() : '');
      const place = layout.marketplace === undefined ? '' : of(layout.marketplace);
      if (
        !isOfChannel({ marketplaceId: marketplaceOf(place) ?? marketplaceOfCountry(place) }, line)
      )
        return;
      const date = importDay ?? snapshotDate(of(layout.date!));
      if (typeof date !== 'string') return desk.reject(line, `${layout.date} ${date.reason}`);
      // A SKU has a row for each of its labels, but only one for each.
      const key = JSON.stringify([date, of(layout.sku), of('fnsku'), of('condition')]);
      const before = told.get(key);
      if (before !== undefined) return desk.reject(line, `repeats the key of line ${before}`);
      told.set(key, line);
      const counts: Record<string, string> = {};
      for (const [field, columns] of Object.entries(layout.counts)) {
        const units = columns.map((column) => Number(countOf(of(column)) ?? Number.NaN));
        if (!units.every(Number.isInteger))
          return desk.reject(line, `${columns.join(' + ')} cannot be read as a whole number`);
        counts[field] = String(units.reduce((sum, count) => sum + count, 0));
      }
      if (rows.length >= rowsMax)
        throw new DocumentRefused(
          `the document has more than ${rowsMax.toLocaleString('en')} rows: split it`,
        );
      const amounts: Record<string, string> = { price: of(layout.price) };
      for (const [field, column] of Object.entries(layout.amounts)) amounts[field] = of(column);
      const currency = layout.currency === undefined ? '' : of(layout.currency);
      rows.push({
        line,
        fields: {
          date,
          sku: of(layout.sku),
          report: layout.report,
          asin: of('asin'),
          title: of(layout.title),
          storageType: layout.storageType === undefined ? '' : of(layout.storageType),
          currency,
          ...counts,
        },
        amounts,
        product: {
          sku: of(layout.sku),
          productId: of('asin'),
          title: of(layout.title),
          fulfilledByMarketplace: !layout.isShippedBySeller(of),
        },
      });
    },
    async end() {
      const mark = decimalMarkOf(
        rows.flatMap(({ amounts }) => Object.values(amounts)),
        2,
      );
      const products = new Map<string, Waiting['product']>();
      for (const { line, fields, amounts, product } of rows) {
        const plain = Object.entries(amounts).map(
          ([field, text]) => [field, text === '' ? '' : plainAmount(text, mark)] as const,
        );
        const unread = plain.find(([field, amount]) => amount === undefined && field !== 'price');
        if (unread) {
          desk.reject(line, `${layout.amounts[unread[0]]} cannot be read as an amount`);
          continue;
        }
        const { price, ...others } = Object.fromEntries(plain);
        if (!sums.add({ ...fields, ...others }, line)) continue;
        const isOwn = fields.currency === '' || fields.currency === desk.currency;
        if (!products.has(product.sku as string))
          products.set(product.sku as string, { ...product, ...(isOwn && { price }) });
      }
      await sums.stage(desk.relieve);
      const held = await desk.productsHeld([...products.keys()]);
      let staged = 0;
      for (const [sku, product] of products) {
        if (held.has(sku)) continue;
        desk.byTheWay('products').object(product, 0);
        if (++staged % productsBetweenRelief === 0) await desk.relieve();
      }
    },
  };
}

/** The names in the header by the titles that they stand for. */
function titlesOf(
  record: Readonly<Record<string, string>>,
  layout: Layout,
): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const name of Object.keys(record)) {
    const title = otherTitles[titleOf(name)] ?? titleOf(name);
    if (!titles.has(title)) titles.set(title, name);
  }
  const needed = [
    ...layout.known,
    ...Object.values(layout.counts).flat(),
    ...Object.values(layout.amounts),
  ];
  const lacking = [...new Set(needed)].filter(
    (title) => !titles.has(title) && !lateTitles.includes(title),
  );
  if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
  return titles;
}

/** The day of a report that tells none. */
function dayOfImport({ cover, timezone, now }: Desk): number {
  if (cover === undefined) return localDay(timezone, now);
  if (cover.first === cover.last) return cover.first;
  throw new DocumentRefused(
    'the document tells what there was at one moment: name its day by both from and to',
  );
}

function snapshotDate(text: string): string | { readonly reason: string } {
  const { dayFirst, monthFirst } = localDate(text) ?? {};
  const day = dayFirst ?? monthFirst;
  const shown = JSON.stringify(text.slice(0, 40));
  if (day === undefined) return { reason: `cannot be read as a date (it is ${shown})` };
  if (dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst) {
    return { reason: `may be read in two ways (it is ${shown}): write it with the year first` };
  }
  return isoDate(day);
}
