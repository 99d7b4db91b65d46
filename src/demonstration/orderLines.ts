/** Places the orders of a channel. */
import type { Offer } from './catalogue.ts';
import { pickIndex, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';
import { hourWeights } from './seasons.ts';
import type { Sale, Shop, Today } from './today.ts';

/** An order: its rows, and the same lines as sales. */
type Order = { readonly rows: readonly OrderLineRow[]; readonly sales: readonly Sale[] };
/** The fields that all lines of an order share. */
type OrderHead = Pick<
  OrderLineRow,
  'orderId' | 'buyerEmail' | 'purchasedAt' | 'updatedAt' | 'status'
>;

const secondsPerDay = 86_400;
const canceledShare = 0.03;
const returningShare = 0.24;
/** Chance of each further product in an order. */
const furtherProductChance = 0.15;
const productsPerOrderMax = 3;
const hourSums = runningSums(hourWeights);

/** Places orders and remembers who has ordered before. */
export class OrderDesk {
  readonly #shop: Shop;
  #customers = 0;
  #orders = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Places one order on a day. */
  place({ day, start, end, demandSums, isDeal }: Today): Order {
    const { random, plan, offers } = this.#shop;
    const indexes = new Set([pickIndex(random.next(), demandSums)]);
    for (
      let draw = random.next();
      draw < furtherProductChance && indexes.size < productsPerOrderMax;
      draw = random.next()
    )
      indexes.add(pickIndex(random.next(), demandSums));
    const purchasedAt = Math.min(
      start + pickIndex(random.next(), hourSums) * 3600 + random.whole(3600),
      end,
    );
    const orderId = this.#orderId();
    const buyerEmail = this.#buyer();
    const head = { orderId, buyerEmail, purchasedAt, ...this.#statusOf(day, purchasedAt) };
    const { tax } = plan;
    const taxRate = 'added' in tax ? tax.added[random.whole(tax.added.length)]! : tax.included;
    const lines = [...indexes].map((offerIndex) => {
      const offer = offers[offerIndex]!;
      const quantity = quantityOf(random.next());
      const net = offer.netPrice * quantity;
      const row = this.#row(head, offer, quantity, taxRate, isDeal);
      return { row, sale: { offerIndex, quantity, net } };
    });
    return { rows: lines.map(({ row }) => row), sales: lines.map(({ sale }) => sale) };
  }

  #row(
    { orderId, buyerEmail, purchasedAt, updatedAt, status }: OrderHead,
    offer: Offer,
    quantity: number,
    taxRate: number,
    isDeal: boolean,
  ): OrderLineRow {
    const { random, plan, offers, unit } = this.#shop;
    const net = offer.netPrice * quantity;
    const itemTax = 'added' in plan.tax ? Math.round(net * taxRate) : offer.price * quantity - net;
    const hasPromotion = random.next() < (isDeal ? 0.55 : 0.11);
    const promotion = [0.05, 0.1, 0.15, 0.2][random.whole(4)]!;
    const paysShipping = random.next() < 0.05;
    return {
      orderId,
      lineId:
        String(random.whole(90_000_000) + 10_000_000) + String(random.whole(900_000) + 100_000),
      purchasedAt,
      updatedAt,
      status,
      sku: offer.sku,
      productId: offer.productId,
      quantity,
      itemPrice: net / unit,
      itemTax: itemTax / unit,
      promotionDiscount: hasPromotion ? Math.round(net * promotion) / unit : 0,
      shippingPrice: paysShipping ? Math.round(offers[0]!.netPrice * 0.24) / unit : 0,
      currency: plan.currency,
      buyerEmail,
    };
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
    const letters = randomOf(`buyer ${plan.channelId} ${customer}`);
    const name = Array.from(
      { length: 14 },
      () => 'abcdefghijklmnopqrstuvwxyz0123456789'[letters.whole(36)],
    ).join('');
    return `${name}@${plan.marketplace}.example`;
  }

  #statusOf(day: number, purchasedAt: number): Pick<OrderHead, 'status' | 'updatedAt'> {
    const { random, anchorDay } = this.#shop;
    const draw = random.next();
    const hours = 4 + random.whole(44);
    const age = anchorDay - day;
    const [pending, unshipped] =
      age <= 1 ? [0.38, 0.68] : age === 2 ? [0.08, 0.24] : age === 3 ? [0.01, 0.06] : [0, 0];
    // Cancellations use the other end of the draw, so that they stay canceled as orders age.
    const status =
      draw > 1 - canceledShare
        ? 'Canceled'
        : draw < pending
          ? 'Pending'
          : draw < unshipped
            ? 'Unshipped'
            : 'Shipped';
    const changed = Math.min(purchasedAt + hours * 3600, anchorDay * secondsPerDay);
    return {
      status,
      updatedAt: status === 'Pending' ? purchasedAt : Math.max(purchasedAt, changed),
    };
  }
}

function quantityOf(draw: number): number {
  return draw < 0.9 ? 1 : draw < 0.975 ? 2 : draw < 0.995 ? 3 : 4;
}
