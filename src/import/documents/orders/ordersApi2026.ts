/**
 * Bodies of the Orders API 2026-01-01: searchOrders and getOrder, as one JSON document or one body
 * per line. Orders contain their items.
 */
import { amount, amountText, CellError, millionthsOf } from '../../cells/fields.ts';
import { listIn, part } from '../../cells/json.ts';
import { sumOf as sumOfAmounts, timesOf } from '../../cells/money.ts';
import { share } from '../../orders/prices.ts';
import type { DocumentKind } from '../kind.ts';
import { soldInChannel } from '../marketplaces.ts';
import { addressOf, firstOrder, orderPaths } from './orderFields.ts';

const fulfilledBy: Readonly<Record<string, string>> = { AMAZON: 'AFN', MERCHANT: 'MFN' };
const serviceLevels: Readonly<Record<string, string>> = {
  EXPEDITED: 'Expedited',
  FREE_ECONOMY: 'FreeEconomy',
  NEXT_DAY: 'NextDay',
  PRIORITY: 'Priority',
  SAME_DAY: 'SameDay',
  SECOND_DAY: 'SecondDay',
  SCHEDULED: 'Scheduled',
  STANDARD: 'Standard',
};
/** The payment methods of the contract. All others become `Other`. */
const paymentMethods: Readonly<Record<string, string>> = {
  CashOnDelivery: 'COD',
  ConvenienceStore: 'CVS',
};

/** Orders API 2026-01-01. */
export const ordersApi2026: DocumentKind = {
  name: 'ordersApi2026',
  about: 'Orders API 2026-01-01 bodies (searchOrders, getOrder; JSON, or one body a line)',
  tables: ['order_record', 'order_line'],
  ofChannel: true,
  recognises: (value) => {
    return (
      (orderPaths(value) !== undefined && isOrder(firstOrder(value))) ||
      (listIn(value, 'orders')?.length === 0 &&
        ['pagination', 'lastUpdatedBefore', 'createdBefore'].some((name) => part(value, name)))
    );
  },
  rowPaths: orderPaths,
  read(session) {
    const isOfChannel = soldInChannel(session);
    return {
      value(value, line) {
        if (!isOrder(value)) session.reject(line, 'is not an order of searchOrders or getOrder');
        else if (
          isOfChannel(
            part(value, 'salesChannel', 'channelName'),
            part(value, 'salesChannel', 'marketplaceId'),
            line,
          )
        ) {
          session.orders.order(asContract(value), line, { lenient: true, prices: 'stated' });
        }
      },
      end: () => session.orders.flushAll(),
    };
  },
};

function isOrder(value: unknown): boolean {
  return typeof part(value, 'orderId') === 'string' && part(value, 'createdTime') !== undefined;
}

/** The order under the names of the contract. */
function asContract(order: unknown): Record<string, unknown> {
  const programs = listIn(order, 'programs') ?? [];
  const fulfillment = part(order, 'fulfillment');
  const items = listIn(order, 'orderItems');
  const payments = (listIn(part(order, 'payment'), 'paymentExecutions') ?? []).map((payment) =>
    part(payment, 'paymentMethod'),
  );
  const [method] = payments;
  const grandTotal = part(order, 'proceeds', 'grandTotal');
  const quantities = (name: string) =>
    sumOf((items ?? []).map((item) => part(item, 'fulfillment', name)));
  const buyerEmail = part(order, 'buyer', 'buyerEmail');
  return {
    PlatformOrderId: part(order, 'orderId'),
    PurchaseDate: part(order, 'createdTime'),
    LastUpdateDate: part(order, 'lastUpdatedTime'),
    OrderStatus: part(fulfillment, 'fulfillmentStatus'),
    MarketplaceId: part(order, 'salesChannel', 'marketplaceId'),
    SalesChannel: part(order, 'salesChannel', 'marketplaceName'),
    FulfillmentChannel: wordOf(fulfilledBy, part(fulfillment, 'fulfilledBy')),
    ShipmentServiceLevelCategory: wordOf(
      serviceLevels,
      part(fulfillment, 'fulfillmentServiceLevel'),
    ),
    OrderType: programs.includes('PREORDER') ? 'Preorder' : undefined,
    EarliestShipDate: part(fulfillment, 'shipByWindow', 'earliestDateTime'),
    LatestShipDate: part(fulfillment, 'shipByWindow', 'latestDateTime'),
    EarliestDeliveryDate: part(fulfillment, 'deliverByWindow', 'earliestDateTime'),
    LatestDeliveryDate: part(fulfillment, 'deliverByWindow', 'latestDateTime'),
    PaymentMethod: typeof method === 'string' ? (paymentMethods[method] ?? 'Other') : undefined,
    PaymentMethodDetails: payments.length > 0 ? payments.join(',') : undefined,
    NumberOfItemsShipped: quantities('quantityFulfilled'),
    NumberOfItemsUnshipped: quantities('quantityUnfulfilled'),
    IsPrime: programs.includes('PRIME'),
    IsPremiumOrder: programs.includes('PREMIUM'),
    IsBusinessOrder: programs.includes('AMAZON_BUSINESS'),
    IsISPU: programs.includes('IN_STORE_PICK_UP'),
    IsReplacementOrder: (listIn(order, 'associatedOrders') ?? []).some(
      (one) => part(one, 'associationType') === 'REPLACEMENT_ORIGINAL_ID',
    ),
    ShippingAddress: addressIn(part(order, 'recipient', 'deliveryAddress')),
    DefaultShipFromLocationAddress: addressIn(
      part(listIn(order, 'packages')?.[0], 'shipFromAddress'),
    ),
    OrderTotal: grandTotal && {
      Amount: part(grandTotal, 'amount'),
      CurrencyCode: part(grandTotal, 'currencyCode'),
    },
    BuyerInfo: buyerEmail && { BuyerEmail: buyerEmail },
    Items: items?.map(itemOf),
  };
}

function itemOf(item: unknown): Record<string, unknown> {
  const product = part(item, 'product');
  const proceeds = listIn(part(item, 'proceeds'), 'breakdowns') ?? [];
  const quantity = part(item, 'quantityOrdered');
  const unitPrice = part(product, 'price', 'unitPrice');
  const price = proceedsOf(proceeds, 'ITEM');
  return {
    OrderItemId: part(item, 'orderItemId'),
    SellerSKU: part(product, 'sellerSku'),
    ASIN: part(product, 'asin'),
    Title: part(product, 'title'),
    QuantityOrdered: quantity,
    ItemPrice: {
      Amount: price?.Amount ?? timesOf(part(unitPrice, 'amount'), quantity),
      CurrencyCode:
        price?.CurrencyCode ??
        part(unitPrice, 'currencyCode') ??
        part(item, 'proceeds', 'proceedsTotal', 'currencyCode'),
    },
    ItemTax: taxOf(proceeds, price?.Amount),
    ShippingPrice: proceedsOf(proceeds, 'SHIPPING')?.Amount,
    ShippingTax: shareOf(proceeds, 'TAX', 'SHIPPING'),
    PromotionDiscountTax: withoutSign(shareOf(proceeds, 'TAX', 'DISCOUNT')),
    GiftWrapPrice: proceedsOf(proceeds, 'GIFT_WRAP')?.Amount,
    GiftWrapTax: shareOf(proceeds, 'TAX', 'GIFT_WRAP'),
    PromotionDiscount: withoutSign(proceedsOf(proceeds, 'DISCOUNT')?.Amount),
    ShippingDiscount: withoutSign(shareOf(proceeds, 'DISCOUNT', 'SHIPPING')),
    // A cancellation request changes nothing yet, and shipped units were sold.
    Canceled:
      part(item, 'cancellation', 'cancellationExecution') !== undefined &&
      !(Number(part(item, 'fulfillment', 'quantityFulfilled') ?? 0) > 0),
  };
}

/**
 * The amount of one type in an item's breakdown. For taxes and discounts, only the item's own share
 * if it is listed separately.
 */
function proceedsOf(
  breakdowns: readonly unknown[],
  type: string,
): { readonly Amount: unknown; readonly CurrencyCode: unknown } | undefined {
  const found = breakdowns.find((one) => part(one, 'type') === type);
  if (found === undefined) return undefined;
  const details = listIn(found, 'detailedBreakdowns') ?? [];
  const own = details.find((one) => part(one, 'subtype') === 'ITEM');
  const CurrencyCode = part(found, 'subtotal', 'currencyCode');
  if (details.length > 0)
    return { Amount: own === undefined ? 0 : part(own, 'value', 'amount'), CurrencyCode };
  return { Amount: part(found, 'subtotal', 'amount'), CurrencyCode };
}

/**
 * The tax of the item alone. If a document does not say whose tax it is, it is the tax of
 * everything that was paid for the item, at one rate.
 */
function taxOf(breakdowns: readonly unknown[], price: unknown): unknown {
  const of = (type: string) => proceedsOf(breakdowns, type)?.Amount;
  const tax = of('TAX');
  const isListed = breakdowns.some(
    (one) => part(one, 'type') === 'TAX' && listIn(one, 'detailedBreakdowns')?.length,
  );
  const others = [of('SHIPPING'), of('GIFT_WRAP'), of('COD_FEE')];
  const paid = millionthsIn(sumOfAmounts([price, `-${withoutSign(of('DISCOUNT') ?? 0)}`]));
  const beside = millionthsIn(sumOfAmounts(others));
  const all = millionthsIn(tax ?? '');
  if (isListed || !paid || !beside || all === undefined) return tax;
  return amountText(share(all, paid, paid + beside));
}

function millionthsIn(value: unknown): bigint | undefined {
  const read = amount.read(value);
  return read instanceof CellError ? undefined : millionthsOf(read);
}

/** The share of shipping or gift wrap in the taxes or discounts of an item, if it is listed. */
function shareOf(breakdowns: readonly unknown[], type: string, subtype: string): unknown {
  const found = breakdowns.find((one) => part(one, 'type') === type);
  const share = (listIn(found, 'detailedBreakdowns') ?? []).find(
    (one) => part(one, 'subtype') === subtype,
  );
  return part(share, 'value', 'amount');
}

function withoutSign(amount: unknown): unknown {
  return typeof amount === 'string' || typeof amount === 'number'
    ? String(amount).replace(/^-/, '')
    : amount;
}

function sumOf(counts: readonly unknown[]): number | undefined {
  const known = counts.filter((one) => one !== undefined).map(Number);
  return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) : undefined;
}

function wordOf(words: Readonly<Record<string, string>>, value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value;
}

function addressIn(address: unknown): Record<string, unknown> | undefined {
  if (typeof address !== 'object' || address === null) return undefined;
  return addressOf(
    part(address, 'stateOrRegion'),
    part(address, 'postalCode'),
    part(address, 'city'),
    part(address, 'countryCode'),
  );
}
