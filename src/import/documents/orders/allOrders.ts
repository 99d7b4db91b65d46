/**
 * The all-orders flat file, one row per item of an order, and the table of orders of the Amazon.in
 * console, with other titles. Neither numbers the items of an order. Rows of one order are mostly
 * consecutive, but need not be.
 */
import { instantOf, readDate } from '../../cells/dates.ts';
import {
  amount,
  CellError,
  count,
  currency,
  instant as instantType,
  text as textType,
} from '../../cells/fields.ts';
import { LatestNumbers } from '../../cells/textNumbers.ts';
import { isOwnCurrency, marketplaceOf, soldInChannel } from '../marketplaces.ts';
import {
  type CellsOf,
  checked,
  filled,
  optional,
  type Reader,
  requireColumns,
  tableDocument,
  text,
} from '../table.ts';
import { OpenOrders } from './openOrders.ts';
import { addressOf } from './orderFields.ts';

/**
 * The number of orders that may be open for more rows, and the least number of closed ones to
 * remember.
 */
const ordersMax = { open: 5000, closed: 1_000_000 };

const flatFileTitles = [
  'amazon-order-id',
  'purchase-date',
  'order-status',
  'sku',
  'quantity',
  'item-price',
];
const consoleTitles = ['order-id', 'date', 'status', 'sku', 'qty', 'amount'];
const fulfillmentChannels: Readonly<Record<string, string>> = { amazon: 'AFN', merchant: 'MFN' };
/** Spellings of statuses. A delivery state may follow the status after " - ". */
const statuses: Readonly<Record<string, string>> = {
  cancelled: 'Canceled',
  shipping: 'Unshipped',
  rejected: 'Shipped',
  complete: 'Shipped',
};

/**
 * An instant, or a date without a time, which counts as noon in the channel's time zone. Epoch
 * seconds; undefined for a blank cell.
 */
const orderInstant: Reader<number | undefined> = {
  read(cell, { timezone, notation }) {
    const read = cell === '' ? undefined : notation.read(instantType, cell);
    if (!(read instanceof CellError)) return read;
    const written = readDate(cell, 'flatFile');
    const seconds =
      written && written.second === undefined
        ? instantOf(written, 'monthFirst', timezone)
        : undefined;
    return seconds ?? read;
  },
  absent: undefined,
  shows: 'times',
};

/** The status in the contract's terms. An unknown status stays as written. */
const status: Reader<string, ''> = {
  read(cell) {
    const [word = ''] = cell.split(' - ');
    return statuses[word.toLowerCase()] ?? word;
  },
  absent: '',
};

const columns = {
  id: filled(optional(['amazon-order-id', 'order-id'], checked(textType(200, 1)))),
  sku: optional('sku', checked(textType(200))),
  asin: optional('asin', checked(textType(200))),
  quantity: optional(['quantity', 'qty'], checked(count())),
  currency: optional('currency', checked(currency)),
  price: optional(['item-price', 'amount'], checked(amount)),
  tax: optional('item-tax', checked(amount)),
  shippingPrice: optional('shipping-price', checked(amount)),
  shippingTax: optional('shipping-tax', checked(amount)),
  netPrice: optional('vat-exclusive-item-price', checked(amount)),
  netShippingPrice: optional('vat-exclusive-shipping-price', checked(amount)),
  promotionDiscount: optional('item-promotion-discount', checked(amount)),
  purchasedAt: filled(optional(['purchase-date', 'date'], orderInstant)),
  updatedAt: optional('last-updated-date', orderInstant),
  status: optional(['order-status', 'status'], status),
  itemStatus: optional('item-status', status),
  salesChannel: optional('sales-channel', text),
  fulfillmentChannel: optional(['fulfillment-channel', 'fulfilment'], text),
  serviceLevel: optional('ship-service-level', text),
  state: optional('ship-state', text),
  postalCode: optional('ship-postal-code', text),
  city: optional('ship-city', text),
  country: optional('ship-country', text),
  isBusinessOrder: optional(['is-business-order', 'b2b'], text),
  isReplacementOrder: optional('is-replacement-order', text),
  isSoldByAB: optional('is-sold-by-ab', text),
  isPrime: optional('is-prime', text),
  isPremiumOrder: optional('is-premium-order', text),
};

/** Columns that only the flat file has, and every flat file. */
const flatFileColumns: readonly (keyof typeof columns)[] = ['updatedAt', 'tax'];

type Cells = CellsOf<typeof columns>;
type Order = { readonly lines: number[]; readonly items: Record<string, unknown>[]; latest: Cells };

/**
 * GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL and BY_LAST_UPDATE, and the console's table.
 */
export const allOrders = tableDocument({
  name: 'allOrders',
  about:
    "All-orders flat file (tab separated, GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL or BY_LAST_UPDATE_GENERAL), and the console's table of orders (Order ID, Date, Status, Qty, Amount; its dates MM-DD-YY count as noon in the channel's timezone)",
  tables: ['order_record', 'order_line'],
  columns,
  title: (written) => written.trim().toLowerCase().replaceAll(' ', '-'),
  marks: [flatFileTitles, consoleTitles].map((titles) => titles.map((title) => [title])),
  recognises: (titles) =>
    [flatFileTitles, consoleTitles].some((known) => known.every((title) => titles.has(title))),
  open(session) {
    const isOfChannel = soldInChannel(session);
    const closed = new LatestNumbers(ordersMax.closed);
    const orders = new OpenOrders<Order, number>(
      ordersMax.open,
      closed,
      (_, { latest, items, lines }) => {
        const order = orderOf(latest, items, session.marketplaceId);
        session.orders.order(order, lines, { lenient: false, sparse: true, prices: 'stated' });
        return lines[0]!;
      },
    );
    return {
      header(has) {
        if (flatFileColumns.some((name) => has.has(name)))
          requireColumns(columns, has, flatFileColumns);
      },
      row(cells, line) {
        const { id, salesChannel } = cells;
        const marketplaceId = marketplaceOf(salesChannel);
        if (!isOfChannel(salesChannel, marketplaceId, line)) return undefined;
        if (marketplaceId === undefined && !isOwnCurrency(cells.currency, session))
          return undefined;
        if (orders.closed(id) !== undefined)
          return 'comes too late after the other rows of its order: import all rows of the order together';
        const order = orders.get(id) ?? { lines: [], items: [], latest: cells };
        order.lines.push(line);
        order.items.push(itemOf(cells));
        order.latest = latestOf(order.latest, cells);
        orders.set(id, order);
        return undefined;
      },
      async end() {
        orders.closeAll();
        await session.orders.flushAll();
      },
    };
  },
});

function itemOf(cells: Cells): Record<string, unknown> {
  return {
    SellerSKU: cells.sku,
    ASIN: cells.asin,
    QuantityOrdered: cells.quantity,
    ItemPrice: {
      Amount: cells.price,
      ...(cells.currency !== '' && { CurrencyCode: cells.currency }),
    },
    ItemTax: cells.tax,
    NetItemPrice: cells.netPrice,
    ShippingPrice: cells.shippingPrice,
    ShippingTax: cells.shippingTax,
    NetShippingPrice: cells.netShippingPrice,
    PromotionDiscount: cells.promotionDiscount.replace(/^-/, ''),
    Canceled: cells.status === 'Canceled' || cells.itemStatus === 'Canceled',
  };
}

/**
 * The later of two rows of an order. If both have the same time, a row that is not cancelled wins.
 */
function latestOf(one: Cells, other: Cells): Cells {
  const [first, second] = [one.updatedAt ?? 0, other.updatedAt ?? 0];
  if (first !== second) return first > second ? one : other;
  return one.status === 'Canceled' ? other : one;
}

/** The order under the names of the contract. */
function orderOf(
  cells: Cells,
  items: readonly Record<string, unknown>[],
  ownMarketplaceId: string | undefined,
): Record<string, unknown> {
  const { salesChannel, fulfillmentChannel, state, postalCode, city, country } = cells;
  return {
    PlatformOrderId: cells.id,
    PurchaseDate: cells.purchasedAt,
    LastUpdateDate: cells.updatedAt,
    OrderStatus: cells.status,
    MarketplaceId: marketplaceOf(salesChannel) ?? ownMarketplaceId,
    SalesChannel: salesChannel,
    FulfillmentChannel: fulfillmentChannels[fulfillmentChannel.toLowerCase()] ?? fulfillmentChannel,
    ShipServiceLevel: cells.serviceLevel,
    IsBusinessOrder: cells.isBusinessOrder.toLowerCase(),
    IsReplacementOrder: cells.isReplacementOrder.toLowerCase(),
    IsSoldByAB: cells.isSoldByAB.toLowerCase(),
    IsPrime: cells.isPrime.toLowerCase(),
    IsPremiumOrder: cells.isPremiumOrder.toLowerCase(),
    ShippingAddress: [state, postalCode, city, country].some((one) => one !== '')
      ? addressOf(state, postalCode, city, country)
      : undefined,
    Items: items,
  };
}
