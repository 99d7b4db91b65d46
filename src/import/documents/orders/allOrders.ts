/**
 * The all-orders flat file, one row per item of an order, and the table of orders that the console of Amazon.in gives out, which has other
 * titles. Neither numbers the items of an order. Rows of one order usually stand together, but need not.
 */
import {
  amount,
  CellError,
  count,
  currency,
  type FieldType,
  instant,
  text,
} from '../../cells/fields.ts';
import { instantOf, localDate } from '../../cells/localCells.ts';
import type { DocumentKind } from '../kind.ts';
import { marketplaceOf } from '../marketplaces.ts';
import { soldInChannel } from './soldInChannel.ts';

/** How many orders are held open for more of their rows. */
const ordersOpenMax = 5000;
/** How many orders are remembered as told, so that a row that comes late is not taken for an order of its own. */
const ordersToldMax = 1_000_000;

const flatTitles = [
  'amazon-order-id',
  'purchase-date',
  'order-status',
  'sku',
  'quantity',
  'item-price',
];
const consoleTitles = ['order-id', 'date', 'status', 'sku', 'qty', 'amount'];
/** The titles of the console where they differ from those of the flat file. */
const otherTitles: Readonly<Record<string, string>> = {
  'order-id': 'amazon-order-id',
  date: 'purchase-date',
  status: 'order-status',
  fulfilment: 'fulfillment-channel',
  qty: 'quantity',
  amount: 'item-price',
  b2b: 'is-business-order',
};
const channels: Readonly<Record<string, string>> = { amazon: 'AFN', merchant: 'MFN' };
/** What stands for a status; what follows behind " - " tells how far the parcel has come. */
const statuses: Readonly<Record<string, string>> = {
  cancelled: 'Canceled',
  shipping: 'Unshipped',
  rejected: 'Shipped',
  complete: 'Shipped',
};
const flags: Readonly<Record<string, string>> = {
  'is-business-order': 'IsBusinessOrder',
  'is-replacement-order': 'IsReplacementOrder',
  'is-sold-by-ab': 'IsSoldByAB',
  'is-prime': 'IsPrime',
  'is-premium-order': 'IsPremiumOrder',
};
/** The cells that are checked before a row is put to its order, each with its kind. */
const fieldTypes: Readonly<Record<string, FieldType>> = {
  'amazon-order-id': text(200, 1),
  sku: text(200),
  asin: text(200),
  quantity: count(),
  currency,
  'item-price': amount,
  'item-tax': amount,
  'shipping-price': amount,
  'item-promotion-discount': amount,
};

type Cells = Readonly<Record<string, string>>;

/** What the rows of an order have told. */
type Open = { readonly lines: number[]; readonly items: Record<string, unknown>[]; newest: Row };

type Row = {
  readonly cells: Cells;
  readonly purchasedAt: number;
  readonly updatedAt: number | undefined;
  readonly status: string;
};

/** GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL and BY_LAST_UPDATE, and the console's table. */
export const allOrders: DocumentKind = {
  name: 'allOrders',
  about:
    "All-orders flat file (tab separated, GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL or BY_LAST_UPDATE_GENERAL), and the console's table of orders (Order ID, Date, Status, Qty, Amount; its dates MM-DD-YY count as noon in the channel's timezone)",
  tables: ['order_record', 'order_line'],
  ofChannel: true,
  tabsUnquoted: true,
  recognisesHeader(names) {
    const titles = new Set(names.map(titleOf));
    return [flatTitles, consoleTitles].some((required) =>
      required.every((title) => titles.has(title)),
    );
  },
  read(desk) {
    const isOfChannel = soldInChannel(desk);
    const open = new Map<string, Open>();
    const told = new Set<string>();
    let titles: ReadonlyMap<string, string> | undefined;

    function close(id: string, { lines, items, newest }: Open): void {
      open.delete(id);
      if (told.size >= ordersToldMax) told.delete(told.values().next().value!);
      // A copy: the id itself keeps the chunk of the document alive that it was cut from.
      told.add(Buffer.from(id).toString());
      desk.orders.order(orderOf(newest, items, desk.marketplaceId), lines, {
        lenient: false,
        sparse: true,
      });
    }

    return {
      record(record, line) {
        titles ??= new Map(
          Object.keys(record).map((name) => [name, otherTitles[titleOf(name)] ?? titleOf(name)]),
        );
        const cells: Record<string, string> = {};
        for (const [name, title] of titles) cells[title] ??= record[name]!.trim();
        const row = rowOf(cells, desk.timezone);
        if ('reason' in row) {
          desk.reject(line, row.reason);
          return;
        }
        const site = cells['sales-channel'] ?? '';
        if (!isOfChannel(site, marketplaceOf(site), line)) return;
        const id = cells['amazon-order-id']!;
        if (told.has(id)) {
          desk.reject(
            line,
            'comes too long after the other rows of its order: import all rows of the order together',
          );
          return;
        }
        const order = open.get(id) ?? { lines: [], items: [], newest: row };
        order.lines.push(line);
        order.items.push(itemOf(row));
        order.newest = newestOf(order.newest, row);
        open.set(id, order);
        if (open.size > ordersOpenMax) close(...open.entries().next().value!);
      },
      async end() {
        for (const [id, order] of open) close(id, order);
        await desk.orders.settle();
      },
    };
  },
};

function titleOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(' ', '-');
}

function rowOf(cells: Cells, timezone: string): Row | { readonly reason: string } {
  const problems: string[] = [];
  for (const [title, type] of Object.entries(fieldTypes)) {
    const value = cells[title] ?? '';
    if (value === '') {
      if (title === 'amazon-order-id') problems.push(`${title} is required`);
      continue;
    }
    const read = type.read(value);
    if (read instanceof CellError) problems.push(`${title} ${read.reason}`);
  }
  const purchasedAt = instantIn(cells['purchase-date'] ?? '', timezone);
  if (purchasedAt === undefined)
    problems.push(
      `purchase-date ${cells['purchase-date'] ? `must be ${instant.words}` : 'is required'}`,
    );
  const updated = cells['last-updated-date'] ?? '';
  const updatedAt = updated === '' ? undefined : instantIn(updated, timezone);
  if (updated !== '' && updatedAt === undefined)
    problems.push(`last-updated-date must be ${instant.words}`);
  if (problems.length > 0) return { reason: problems.join(', ') };
  return {
    cells,
    purchasedAt: purchasedAt!,
    updatedAt,
    status: statusOf(cells['order-status'] ?? ''),
  };
}

/** Epoch seconds of an instant, or of noon where it is a date without a time; undefined where it is neither. */
function instantIn(cell: string, timezone: string): number | undefined {
  const read = instant.read(cell);
  if (!(read instanceof CellError)) return read;
  const local = localDate(cell);
  return local?.second === undefined && local
    ? instantOf(local, 'monthFirst', timezone)
    : undefined;
}

/** The status in the contract's words, or as it stands where it is none of those that are known. */
function statusOf(cell: string): string {
  const [word = ''] = cell.split(' - ');
  return statuses[word.toLowerCase()] ?? word;
}

function itemOf({ cells, status }: Row): Record<string, unknown> {
  return {
    SellerSKU: cells.sku,
    ASIN: cells.asin,
    QuantityOrdered: cells.quantity,
    ItemPrice: {
      Amount: cells['item-price'] ?? '',
      ...(cells.currency && { CurrencyCode: cells.currency }),
    },
    ItemTax: cells['item-tax'],
    ShippingPrice: cells['shipping-price'],
    PromotionDiscount: cells['item-promotion-discount']?.replace(/^-/, ''),
    Canceled: status === 'Canceled' || statusOf(cells['item-status'] ?? '') === 'Canceled',
  };
}

/** Of two rows of an order the one that tells its state: the one that was updated later, and one that is not canceled before one that is. */
function newestOf(one: Row, other: Row): Row {
  const [first, second] = [one.updatedAt ?? 0, other.updatedAt ?? 0];
  if (first !== second) return first > second ? one : other;
  return one.status === 'Canceled' ? other : one;
}

/** The order under the names of the contract. */
function orderOf(
  { cells, purchasedAt, updatedAt, status }: Row,
  items: readonly Record<string, unknown>[],
  own: string | undefined,
): Record<string, unknown> {
  const fulfillment = cells['fulfillment-channel'] ?? '';
  const address = {
    StateOrRegion: cells['ship-state'],
    PostalCode: cells['ship-postal-code'],
    City: cells['ship-city'],
    CountryCode: cells['ship-country'],
  };
  return {
    PlatformOrderId: cells['amazon-order-id'],
    PurchaseDate: purchasedAt,
    LastUpdateDate: updatedAt,
    OrderStatus: status,
    MarketplaceId: marketplaceOf(cells['sales-channel'] ?? '') ?? own,
    SalesChannel: cells['sales-channel'],
    FulfillmentChannel: channels[fulfillment.toLowerCase()] ?? fulfillment,
    ShipServiceLevel: cells['ship-service-level'],
    ...Object.fromEntries(
      Object.entries(flags).map(([title, field]) => [field, cells[title]?.toLowerCase()]),
    ),
    ShippingAddress: Object.values(address).some(Boolean) ? address : undefined,
    Items: items,
  };
}
