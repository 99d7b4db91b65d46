/** The orders of a channel: buyer, addresses and shipping dates, derived from order lines. */
import { type Offer, offersOf } from './catalogue.ts';
import { countryOf, fulfilmentCentreOf, homeOf, warehouseOf } from './countries.ts';
import type { Plan } from './plans.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';

/** A row of the dataset orders; a flag that is missing is false, a number 0. */
export type OrderRow = ReturnType<typeof orderRow>;

const secondsPerHour = 3600;
/** Share of Prime among orders with fast shipping. */
const primeShare = 0.9;
const businessShare = 0.06;
/** Share of business orders in Europe that the marketplace buys and sells on. */
const soldOnShare = 0.5;
const accessPointShare = 0.04;
const giftCardShare = 0.07;
/** Shares of the orders that the seller ships: picked up in its shop, and sent by global express. */
const pickupShare = 0.06;
const globalExpressShare = 0.03;
/** A product made to order ships days later. */
const madeToOrder = { sku: 'NW-TENT2', share: 0.3, hours: 10 * 24 };
/** A product that needs an approval, because it burns. */
const regulatedSku = 'NW-FIRE';

/**
 * Service levels of the marketplace and of the seller: their share, and the hours from the order to
 * latest shipping, earliest and latest delivery. NextDay is more than sellers usually promise.
 */
const [byMarketplace, bySeller] = (
  [
    [
      ['Expedited', 0.55, 26, 34, 58],
      ['SecondDay', 0.25, 30, 48, 72],
      ['Standard', 0.2, 44, 72, 144],
    ],
    [
      ['Standard', 0.78, 60, 96, 192],
      ['Expedited', 0.1, 36, 60, 96],
      ['NextDay', 0.12, 18, 24, 42],
    ],
  ] as const
).map((services) => ({ services, sums: runningSums(services.map(([, share]) => share)) }));

/** Makes orders with their items from order lines; none for channels of other marketplaces. */
export function orderRowsOf(plan: Plan): (orderLines: readonly OrderLineRow[]) => OrderRow[] {
  if (plan.marketplace !== 'primarymkt') return () => [];
  const offers = new Map(offersOf(plan).map((offer) => [offer.sku, offer]));
  return (orderLines) =>
    [...Map.groupBy(orderLines, ({ orderId }) => orderId).values()].map((lines) =>
      orderRow(plan, offers, lines),
    );
}

function orderRow(
  { countryCode, decimals }: Plan,
  offers: ReadonlyMap<string, Offer>,
  lines: readonly OrderLineRow[],
) {
  const { orderId, buyerEmail, purchasedAt, updatedAt, status, currency } = lines[0]!;
  const { salesChannel, isEuropean } = countryOf(countryCode);
  const random = randomOf(`order ${orderId}`);
  const isOneOf = (sku: string) => lines.some((line) => line.sku === sku);
  const isSelfShipped = lines.some(({ sku }) => offers.get(sku)!.selfShipped);
  const { services, sums } = isSelfShipped ? bySeller! : byMarketplace!;
  const [level, , ship, earliest, latest] = services[pickIndex(random.next(), sums)]!;
  const isMadeToOrder = isOneOf(madeToOrder.sku) && random.next() < madeToOrder.share;
  const delay = isMadeToOrder ? madeToOrder.hours : 0;
  const at = (hours: number) => instant(purchasedAt + hours * secondsPerHour);
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const isBusiness = random.next() < businessShare * units;
  const isPickup = isSelfShipped && countryCode === 'USA' && random.next() < pickupShare;
  const cents = 10 ** decimals;
  return {
    PlatformOrderId: orderId,
    BuyerInfo: { BuyerEmail: buyerEmail },
    FulfillmentChannel: isSelfShipped ? 'MFN' : 'AFN',
    SalesChannel: salesChannel,
    OrderStatus: status,
    OrderType: isMadeToOrder ? 'LongLeadTimeOrder' : 'StandardOrder',
    ShipServiceLevel: level,
    ShipmentServiceLevelCategory: level,
    ...paymentOf(random, countryCode, isBusiness),
    EarliestDeliveryDate: at(earliest + delay),
    EarliestShipDate: at(1 + delay),
    LatestShipDate: at(ship + delay),
    LatestDeliveryDate: at(latest + delay),
    PurchaseDate: instant(purchasedAt),
    LastUpdateDate: instant(updatedAt),
    ...countsOf(random, status, units),
    ...(isSelfShipped && !isPickup && shippedBySeller(random, countryCode)),
    ...(level === 'NextDay' && { IsPremiumOrder: true }),
    ...(!isSelfShipped && level !== 'Standard' && random.next() < primeShare && { IsPrime: true }),
    ...(!isSelfShipped && random.next() < accessPointShare && { IsAccessPointOrder: true }),
    ...(isOneOf(regulatedSku) && { HasRegulatedItems: true }),
    ...(lines.every(({ itemPrice }) => itemPrice === 0) && { IsReplacementOrder: true }),
    ...(isBusiness && { IsBusinessOrder: true }),
    ...(isBusiness && isEuropean && random.next() < soldOnShare && { IsSoldByAB: true }),
    ...(isPickup && { IsISPU: true }),
    DefaultShipFromLocationAddress: isSelfShipped
      ? warehouseOf(countryCode)
      : fulfilmentCentreOf(countryCode, random),
    ShippingAddress: isPickup ? warehouseOf(countryCode) : homeOf(countryCode, buyerEmail),
    // A canceled order has no total.
    ...(status !== 'Canceled' && {
      OrderTotal: { Amount: Math.round(paidFor(lines) * cents) / cents, CurrencyCode: currency },
    }),
    Items: lines.map(itemRow),
  };
}

function shippedBySeller(random: Random, countryCode: string) {
  const { shipMethod, carrier } = countryOf(countryCode);
  return {
    AutomatedShippingSettings: {
      HasAutomatedShippingSettings: 'true',
      AutomatedShipMethodName: shipMethod,
      AutomatedCarrierName: carrier,
    },
    ...(random.next() < globalExpressShare && { IsGlobalExpressEnabled: true }),
  };
}

function paymentOf(random: Random, countryCode: string, isBusiness: boolean) {
  let draw = random.next();
  for (const [method, share] of Object.entries(countryOf(countryCode).payments)) {
    if (draw < share) return { PaymentMethod: method, PaymentMethodDetails: method };
    draw -= share;
  }
  const hasGiftCard = random.next() < giftCardShare;
  const details = hasGiftCard ? 'Standard,GiftCertificate' : isBusiness ? 'Invoice' : 'Standard';
  return { PaymentMethod: 'Other', PaymentMethodDetails: details };
}

/** The numbers of units shipped and still to ship. */
function countsOf(
  random: Random,
  status: OrderLineRow['status'],
  units: number,
): { NumberOfItemsShipped?: number; NumberOfItemsUnshipped?: number } {
  if (status === 'Canceled') return {};
  if (status === 'Shipped') return { NumberOfItemsShipped: units };
  if (status !== 'PartiallyShipped') return { NumberOfItemsUnshipped: units };
  const shipped = 1 + random.whole(units - 1);
  return { NumberOfItemsShipped: shipped, NumberOfItemsUnshipped: units - shipped };
}

/** The amount that the buyer pays in all, in units of the currency. */
function paidFor(lines: readonly OrderLineRow[]): number {
  return lines.reduce(
    (sum, { itemPrice, itemTax, shippingPrice, promotionDiscount }) =>
      sum + itemPrice + itemTax + shippingPrice - promotionDiscount,
    0,
  );
}

function itemRow(line: OrderLineRow) {
  return {
    OrderItemId: line.lineId,
    SellerSKU: line.sku,
    ASIN: line.productId,
    QuantityOrdered: line.quantity,
    ItemPrice: line.itemPrice,
    ItemTax: line.itemTax,
    ...(line.shippingPrice > 0 && { ShippingPrice: line.shippingPrice }),
    ...(line.promotionDiscount > 0 && { PromotionDiscount: line.promotionDiscount }),
  };
}

function instant(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
