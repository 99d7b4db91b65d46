/** The orders of a channel: buyer, addresses and shipping dates, derived from order lines. */
import { type Address, fulfilmentCentreOf, homeOf, warehouseOf } from './addresses.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';

/** An item of an order. */
export type ItemRow = {
  OrderItemId: string;
  SellerSKU: string;
  ASIN: string;
  QuantityOrdered: number;
  ItemPrice: number;
  ItemTax: number;
  /** Missing where the buyer paid none. */
  ShippingPrice?: number;
  PromotionDiscount?: number;
};

/** A row of the dataset orders; a flag that is missing is false, a number 0. */
export type OrderRow = {
  PlatformOrderId: string;
  BuyerInfo: { BuyerEmail: string };
  FulfillmentChannel: 'AFN' | 'MFN';
  SalesChannel: string;
  OrderStatus: OrderLineRow['status'];
  OrderType: string;
  ShipServiceLevel: string;
  ShipmentServiceLevelCategory: string;
  PaymentMethod: string;
  PaymentMethodDetails: string;
  EarliestDeliveryDate: string;
  EarliestShipDate: string;
  LatestShipDate: string;
  LatestDeliveryDate: string;
  PurchaseDate: string;
  LastUpdateDate: string;
  AutomatedShippingSettings?: {
    HasAutomatedShippingSettings: 'true';
    AutomatedShipMethodName: string;
    AutomatedCarrierName: string;
  };
  NumberOfItemsShipped?: number;
  NumberOfItemsUnshipped?: number;
  IsPremiumOrder?: true;
  IsPrime?: true;
  HasRegulatedItems?: true;
  IsReplacementOrder?: true;
  IsSoldByAB?: true;
  IsISPU?: true;
  IsAccessPointOrder?: true;
  IsBusinessOrder?: true;
  IsGlobalExpressEnabled?: true;
  DefaultShipFromLocationAddress: Address;
  ShippingAddress: Address;
  /** Missing once the order is canceled. */
  OrderTotal?: { Amount: number; CurrencyCode: string };
  Items: ItemRow[];
};

/** A service level, its share, and hours from the order to latest shipping and delivery. */
type Service = {
  readonly level: string;
  readonly category: string;
  readonly share: number;
  readonly ship: number;
  readonly earliest: number;
  readonly latest: number;
  /** Whether the seller promises more than the usual shipping. */
  readonly isPremium?: true;
};

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
/** A product that needs an approval, as it burns. */
const regulatedSku = 'NW-FIRE';

const byMarketplace: readonly Service[] = [
  { level: 'Expedited', category: 'Expedited', share: 0.55, ship: 26, earliest: 34, latest: 58 },
  { level: 'SecondDay', category: 'SecondDay', share: 0.25, ship: 30, earliest: 48, latest: 72 },
  { level: 'Standard', category: 'Standard', share: 0.2, ship: 44, earliest: 72, latest: 144 },
];
const bySeller: readonly Service[] = [
  { level: 'Standard', category: 'Standard', share: 0.78, ship: 60, earliest: 96, latest: 192 },
  { level: 'Expedited', category: 'Expedited', share: 0.1, ship: 36, earliest: 60, latest: 96 },
  {
    ...{ level: 'NextDay', category: 'NextDay', share: 0.12, ship: 18, earliest: 24, latest: 42 },
    isPremium: true,
  },
];
const marketplaceSums = runningSums(byMarketplace.map(({ share }) => share));
const sellerSums = runningSums(bySeller.map(({ share }) => share));

/** Ways of paying besides the usual one, with their shares: cash on delivery, and in a shop. */
const payments: Readonly<Record<string, readonly { readonly method: string; share: number }[]>> = {
  JPN: [
    { method: 'COD', share: 0.06 },
    { method: 'CVS', share: 0.12 },
  ],
};
const europe: ReadonlySet<string> = new Set(['GBR', 'DEU']);
const carriers: Readonly<Record<string, { readonly method: string; readonly carrier: string }>> = {
  USA: { method: 'Ground', carrier: 'UPS' },
  GBR: { method: 'Tracked 48', carrier: 'Royal Mail' },
  DEU: { method: 'Paket', carrier: 'DHL' },
  JPN: { method: 'Takkyubin', carrier: 'Yamato Transport' },
  AUS: { method: 'Parcel Post', carrier: 'Australia Post' },
};
const salesChannels: Readonly<Record<string, string>> = {
  USA: 'primarymkt.example',
  GBR: 'primarymkt.uk.example',
  DEU: 'primarymkt.de.example',
  JPN: 'primarymkt.jp.example',
  AUS: 'primarymkt.au.example',
};

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
  plan: Plan,
  offers: ReadonlyMap<string, Offer>,
  lines: readonly OrderLineRow[],
): OrderRow {
  const { orderId, buyerEmail, purchasedAt, updatedAt, status, currency } = lines[0]!;
  const random = randomOf(`order ${orderId}`);
  const { countryCode } = plan;
  const isSelfShipped = lines.some(({ sku }) => offers.get(sku)!.selfShipped);
  const service = serviceOf(random, isSelfShipped);
  const isMadeToOrder =
    lines.some(({ sku }) => sku === madeToOrder.sku) && random.next() < madeToOrder.share;
  const delay = isMadeToOrder ? madeToOrder.hours : 0;
  const at = (hours: number) => instant(purchasedAt + hours * secondsPerHour);
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const isBusiness = random.next() < businessShare * units;
  const isPickup = isSelfShipped && countryCode === 'USA' && random.next() < pickupShare;
  return {
    PlatformOrderId: orderId,
    BuyerInfo: { BuyerEmail: buyerEmail },
    FulfillmentChannel: isSelfShipped ? 'MFN' : 'AFN',
    SalesChannel: salesChannels[countryCode]!,
    OrderStatus: status,
    OrderType: isMadeToOrder ? 'LongLeadTimeOrder' : 'StandardOrder',
    ShipServiceLevel: service.level,
    ShipmentServiceLevelCategory: service.category,
    ...paymentOf(random, countryCode, isBusiness),
    EarliestDeliveryDate: at(service.earliest + delay),
    EarliestShipDate: at(1 + delay),
    LatestShipDate: at(service.ship + delay),
    LatestDeliveryDate: at(service.latest + delay),
    PurchaseDate: instant(purchasedAt),
    LastUpdateDate: instant(updatedAt),
    ...countsOf(random, status, units),
    ...(isSelfShipped && !isPickup && shippedBySeller(random, countryCode)),
    ...(service.isPremium && { IsPremiumOrder: true }),
    ...(!isSelfShipped && shippedByMarketplace(random, service)),
    ...(lines.some(({ sku }) => sku === regulatedSku) && { HasRegulatedItems: true }),
    ...(lines.every(({ itemPrice }) => itemPrice === 0) && { IsReplacementOrder: true }),
    ...(isBusiness && { IsBusinessOrder: true }),
    ...(isBusiness &&
      europe.has(countryCode) &&
      random.next() < soldOnShare && { IsSoldByAB: true }),
    ...(isPickup && { IsISPU: true }),
    DefaultShipFromLocationAddress: isSelfShipped
      ? warehouseOf(countryCode)
      : fulfilmentCentreOf(countryCode, random),
    ShippingAddress: isPickup ? warehouseOf(countryCode) : homeOf(countryCode, buyerEmail),
    ...(status !== 'Canceled' && {
      OrderTotal: { Amount: paidOf(plan, lines), CurrencyCode: currency },
    }),
    Items: lines.map(itemRow),
  };
}

function shippedBySeller(
  random: Random,
  countryCode: string,
): Pick<OrderRow, 'AutomatedShippingSettings' | 'IsGlobalExpressEnabled'> {
  const { method, carrier } = carriers[countryCode]!;
  return {
    AutomatedShippingSettings: {
      HasAutomatedShippingSettings: 'true',
      AutomatedShipMethodName: method,
      AutomatedCarrierName: carrier,
    },
    ...(random.next() < globalExpressShare && { IsGlobalExpressEnabled: true }),
  };
}

function shippedByMarketplace(
  random: Random,
  { category }: Service,
): Pick<OrderRow, 'IsPrime' | 'IsAccessPointOrder'> {
  return {
    ...(category !== 'Standard' && random.next() < primeShare && { IsPrime: true }),
    ...(random.next() < accessPointShare && { IsAccessPointOrder: true }),
  };
}

function serviceOf(random: Random, isSelfShipped: boolean): Service {
  return isSelfShipped
    ? bySeller[pickIndex(random.next(), sellerSums)]!
    : byMarketplace[pickIndex(random.next(), marketplaceSums)]!;
}

function paymentOf(random: Random, countryCode: string, isBusiness: boolean) {
  let draw = random.next();
  for (const { method, share } of payments[countryCode] ?? []) {
    if (draw < share) return { PaymentMethod: method, PaymentMethodDetails: method };
    draw -= share;
  }
  const hasGiftCard = random.next() < giftCardShare;
  const details = hasGiftCard ? 'Standard,GiftCertificate' : isBusiness ? 'Invoice' : 'Standard';
  return { PaymentMethod: 'Other', PaymentMethodDetails: details };
}

/** The numbers of units shipped and still to ship. */
function countsOf(random: Random, status: OrderLineRow['status'], units: number) {
  if (status === 'Canceled') return {};
  if (status === 'Shipped') return { NumberOfItemsShipped: units };
  if (status !== 'PartiallyShipped') return { NumberOfItemsUnshipped: units };
  const shipped = 1 + random.whole(units - 1);
  return { NumberOfItemsShipped: shipped, NumberOfItemsUnshipped: units - shipped };
}

/** The amount that the buyer pays in all, in units of the currency. */
function paidOf({ decimals }: Plan, lines: readonly OrderLineRow[]): number {
  const paid = lines.reduce(
    (sum, line) =>
      sum + line.itemPrice + line.itemTax + line.shippingPrice - line.promotionDiscount,
    0,
  );
  return Math.round(paid * 10 ** decimals) / 10 ** decimals;
}

function itemRow(line: OrderLineRow): ItemRow {
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
