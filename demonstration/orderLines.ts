/** Places the orders of a channel. */
import type { Offer } from './catalogue.ts';
import { salesTaxOf } from './countries.ts';
import { pickIndex, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';
import { hourWeights } from './seasons.ts';
import type { Sale, Shop, Today } from './today.ts';

/** An order: its rows, and the same lines as sales; a replacement is none. */
type Order = { readonly rows: readonly OrderLineRow[]; readonly sales: readonly Sale[] };
/** A line that may have to be replaced. */
type Sold = Omit<Sale, 'net'> & { readonly buyerEmail: string };
/** The fields that all lines of an order share. */
type OrderHead = Pick<
  OrderLineRow,
  'orderId' | 'buyerEmail' | 'purchasedAt' | 'updatedAt' | 'status'
>;
type Prices = Pick<OrderLineRow, 'itemPrice' | 'itemTax' | 'promotionDiscount' | 'shippingPrice'>;

const secondsPerDay = 86_400;
const canceledShare = 0.03;
const returningShare = 0.24;
/** Chance of each further product in an order. */
const furtherProductChance = 0.15;
const productsPerOrderMax = 3;
const hourSums = runningSums(hourWeights);
/** Share of orders that replace an earlier one free of charge, and after about how many days. */
const replacement = { share: 0.01, days: 20 };
/** Share of recent orders of several units that have been shipped only in part. */
const partialShare = 0.35;
const daysOfShipping = 3;
/** As a share of the best seller's price. */
const shippingShare = 0.24;
const promotions = [0.05, 0.1, 0.15, 0.2] as const;
/** The draws up to which an order is pending, and unshipped, by its age in days. */
const openShares = [
  [0.38, 0.68],
  [0.38, 0.68],
  [0.08, 0.24],
  [0.01, 0.06],
] as const;

/** Places orders and remembers earlier buyers and lines. */
export class OrderDesk {
  readonly #shop: Shop;
  /** The latest lines, oldest first. */
  readonly #sold: Sold[] = [];
  #customers = 0;
  #orders = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Places one order on a day. */
  place(today: Today): Order {
    const { random } = this.#shop;
    const replaced = random.next() < replacement.share ? this.#toReplace(today) : undefined;
    return replaced === undefined ? this.#sell(today) : this.#replace(today, replaced);
  }

  #sell(today: Today): Order {
    const { random, plan, offers } = this.#shop;
    const pick = () => pickIndex(random.next(), today.demandSums);
    const indexes = new Set([pick()]);
    while (random.next() < furtherProductChance && indexes.size < productsPerOrderMax)
      indexes.add(pick());
    const sales = [...indexes].map((offerIndex) => {
      const quantity = quantityOf(random.next());
      return { offerIndex, quantity, net: offers[offerIndex]!.netPrice * quantity };
    });
    const buyerEmail = this.#buyer();
    const head = this.#head(today, buyerEmail, sales);
    this.#sold.push(...sales.map((sale) => ({ ...sale, buyerEmail })));
    const remembered = plan.ordersPerDay * replacement.days;
    if (this.#sold.length > 3 * remembered) this.#sold.splice(0, remembered);
    const rows = sales.map((sale) =>
      this.#row(head, offers[sale.offerIndex]!, sale.quantity, this.#prices(today, head, sale)),
    );
    return { rows, sales };
  }

  #replace(today: Today, sold: Sold): Order {
    const offer = this.#shop.offers[sold.offerIndex]!;
    const head = this.#head(today, sold.buyerEmail, [sold]);
    const free = { itemPrice: 0, itemTax: 0, promotionDiscount: 0, shippingPrice: 0 };
    return { rows: [this.#row(head, offer, sold.quantity, free)], sales: [] };
  }

  /** A line of some weeks ago whose product is in stock. */
  #toReplace({ expectedLines }: Today): Sold | undefined {
    const { random, plan } = this.#shop;
    if (this.#sold.length < plan.ordersPerDay * replacement.days) return undefined;
    const sold = this.#sold[random.whole(Math.ceil(this.#sold.length / 3))]!;
    return expectedLines[sold.offerIndex]! > 0 ? sold : undefined;
  }

  #head({ day, start, end }: Today, buyerEmail: string, lines: readonly Omit<Sale, 'net'>[]) {
    const { random } = this.#shop;
    const second = pickIndex(random.next(), hourSums) * 3600 + random.whole(3600);
    const purchasedAt = Math.min(start + second, end);
    const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const status = this.#statusOf(day, purchasedAt, units);
    return { orderId: this.#orderId(), buyerEmail, purchasedAt, ...status };
  }

  #prices(
    { isDeal }: Today,
    { buyerEmail }: OrderHead,
    { offerIndex, quantity, net }: Sale,
  ): Prices {
    const { random, plan, offers, unit } = this.#shop;
    const hasPromotion = random.next() < (isDeal ? 0.55 : 0.11);
    const promotion = promotions[random.whole(promotions.length)]!;
    const discount = hasPromotion ? Math.round(net * promotion) : 0;
    const paysShipping = random.next() < 0.05;
    // A tax that is added is due on what the buyer pays.
    const itemTax =
      plan.taxIncluded === undefined
        ? Math.round((net - discount) * salesTaxOf(plan.countryCode, buyerEmail))
        : offers[offerIndex]!.price * quantity - net;
    return {
      itemPrice: net / unit,
      itemTax: itemTax / unit,
      promotionDiscount: discount / unit,
      shippingPrice: paysShipping ? Math.round(offers[0]!.netPrice * shippingShare) / unit : 0,
    };
  }

  #row(head: OrderHead, { sku, productId }: Offer, quantity: number, prices: Prices): OrderLineRow {
    const { random, plan } = this.#shop;
    const lineId =
      String(random.whole(90_000_000) + 10_000_000) + String(random.whole(900_000) + 100_000);
    return { ...head, lineId, sku, productId, quantity, ...prices, currency: plan.currency };
  }

  #orderId(): string {
    const { random, plan } = this.#shop;
    const { orderPrefixes } = plan;
    this.#orders++;
    if (orderPrefixes.length === 0) return String(5_600_000_000_000 + this.#orders * 32_768);
    const digits = () => String(random.whole(10_000_000)).padStart(7, '0');
    return `${orderPrefixes[random.whole(orderPrefixes.length)]}-${digits()}-${digits()}`;
  }

  /** The anonymous address of a new or a returning buyer; recent buyers return more often. */
  #buyer(): string {
    const { random, plan } = this.#shop;
    const isReturning = this.#customers > 0 && random.next() < returningShare;
    const customer = isReturning
      ? this.#customers - 1 - Math.floor(this.#customers * random.next() ** 2)
      : this.#customers++;
    const own = randomOf(`buyer ${plan.channelId} ${customer}`);
    const name = own.letters('abcdefghijklmnopqrstuvwxyz0123456789', 14);
    return `${name}@${plan.marketplace}.example`;
  }

  #statusOf(
    day: number,
    purchasedAt: number,
    units: number,
  ): Pick<OrderHead, 'status' | 'updatedAt'> {
    const { random, anchorDay } = this.#shop;
    const draw = random.next();
    const hours = 4 + random.whole(44);
    const age = Math.max(0, anchorDay - day);
    const [pending, unshipped] = openShares[age] ?? [0, 0];
    const isPartial = random.next() < partialShare && units > 1 && age <= daysOfShipping;
    const changed = Math.min(purchasedAt + hours * 3600, anchorDay * secondsPerDay);
    const updatedAt = Math.max(purchasedAt, changed);
    // Cancellations use the other end of the draw, so that they stay canceled as orders age.
    if (draw > 1 - canceledShare) return { status: 'Canceled', updatedAt };
    if (draw < pending) return { status: 'Pending', updatedAt: purchasedAt };
    if (draw < unshipped) return { status: 'Unshipped', updatedAt };
    return { status: isPartial ? 'PartiallyShipped' : 'Shipped', updatedAt };
  }
}

function quantityOf(draw: number): number {
  return draw < 0.9 ? 1 : draw < 0.975 ? 2 : draw < 0.995 ? 3 : 4;
}
