/**
 * The books of a store: what each order leads to once it has been shipped, what comes back, and what is charged for ads, storage and the
 * like. They are kept apart from the business itself, which goes on the same without them. Orders of late are told one by one; of those
 * before, the sums of each product: by the day what was sold and refunded, four times a month the rest.
 */
import { isoDate, monthOfDay } from '../calendar/period.ts';
import type { FinanceLine } from '../import/datasets/datasets.ts';
import type { Offer, Plan, Terms } from './catalogue.ts';
import type { CampaignDayRow, OrderLineRow } from './facts.ts';
import { type Random, randomOf } from './random.ts';
import { calendarDay } from './seasons.ts';

/** A row of the dataset financeEvents. */
export type FinanceEventRow = {
  eventId: string;
  postedAt: number;
  sku?: string;
  orderId?: string;
  line: FinanceLine;
  code: string;
  amount: number;
  tax?: number;
  quantity?: number;
  fulfillment?: 'AFN' | 'MFN';
  currency: string;
};

/** A row of the dataset unitCosts. */
export type UnitCostRow = {
  sku: string;
  effectiveFrom: string;
  cogs: number;
  cogsCurrency: string;
  shippingCost: number;
};

/** What is told of an event beside its amount; tax in minor units. */
type About = Pick<FinanceEventRow, 'sku' | 'orderId' | 'fulfillment' | 'quantity' | 'tax'>;
type AboutOrder = About & { readonly sku: string };
/** An event whose amounts, in minor units, may still grow. */
type Posting = Omit<FinanceEventRow, 'currency'> & { tax: number };
/** An order line that has been shipped; amounts in minor units. */
type Shipped = {
  readonly at: number;
  readonly id: string;
  readonly about: AboutOrder;
  readonly offer: Offer;
  readonly quantity: number;
  readonly net: number;
  readonly tax: number;
  readonly promotion: number;
  readonly commission: number;
};

const secondsPerHour = 3600;
const secondsPerDay = 86_400;
/** Parts of the units that come back, by group of products. */
const returnShares: Readonly<Record<string, number>> = {
  Kitchen: 0.035,
  Light: 0.045,
  Packs: 0.05,
  Camp: 0.05,
  Clothing: 0.075,
};
/** What is kept of the commission of a sale that is refunded: a part, up to so many dollars. */
const refundCommission = { share: 0.2, dollarsMax: 5 };
/** What it costs to take a unit back, compared with sending it. */
const returnProcessing = 1.2;
/** Of the units in the marketplace's hands, how many it loses; of these, how many it finds again; and what it pays, as a share of the price. */
const lost = { chance: 0.004, found: 0.15, worth: 0.7 };
/** Whoever sends a single parcel pays more than who sends millions. */
const singleParcel = 1.25;
/** Storage of a month, and bringing goods in, compared with what shipping the same goods costs; storage before the holidays is dearer. */
const storage = { share: 0.08, dear: 2.4, dearMonths: [11, 12, 1] };
const inboundShare = 0.09;
const removal = { months: [3, 6, 9, 12], skus: 3, dollars: 0.97 };
const daysPerWeek = 7;
const weeksPerMonth = 4;
const daysPerAdCharge = 3;
const daysPerTransfer = 14;
const dayOfSubscription = 3;
const dayOfStorage = 8;
const dayOfRemovals = 18;

/** How many of the last days' orders are told one by one. */
const daysOfOrders = 60;

/** Keeps the books of one channel, day by day. */
export class Books {
  readonly #plan: Plan;
  readonly #terms: Terms;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #random: Random;
  readonly #unit: number;
  /** From when on orders are told one by one. */
  readonly #ordersFrom: number;
  /** What will be posted, by UTC day and number. */
  readonly #awaited = new Map<number, Map<string, Posting>>();
  /** What ads have cost since the last charge, and what shipping has cost since storage and inbound transport were last charged. */
  #advertised = 0;
  #stored = 0;
  #brought = 0;
  /** What the marketplace owes the seller. */
  #balance = 0;

  constructor(plan: Plan, terms: Terms, offers: readonly Offer[], anchorDay: number) {
    this.#plan = plan;
    this.#terms = terms;
    this.#offers = new Map(offers.map((offer) => [offer.sku, offer]));
    this.#random = randomOf(`books ${plan.channelId}`);
    this.#unit = 10 ** plan.places;
    this.#ordersFrom = startOf(anchorDay - daysOfOrders);
  }

  /** Takes in the next day's orders and what its ads cost; returns what is posted on that day in UTC. */
  day(
    day: number,
    orderLines: readonly OrderLineRow[],
    campaignDays: readonly CampaignDayRow[],
  ): FinanceEventRow[] {
    const shipped = orderLines.filter(({ status }) => status === 'Shipped');
    for (const lines of Map.groupBy(shipped, ({ orderId }) => orderId).values()) this.#ship(lines);
    this.#advertise(day, shipped, campaignDays);
    this.#chargeRegularly(day);
    const posted = [...(this.#awaited.get(day)?.values() ?? [])].sort(
      (left, right) => left.postedAt - right.postedAt,
    );
    this.#awaited.delete(day);
    for (const { amount, tax } of posted) this.#balance += amount + tax;
    if (day % daysPerTransfer === 0 && this.#balance > 0) {
      const [code, postedAt] = ['Transfer', endOf(day)];
      posted.push({
        eventId: `${isoDate(day)}-${code}`,
        postedAt,
        line: 'balance',
        code,
        amount: -this.#balance,
        tax: 0,
      });
      this.#balance = 0;
    }
    return posted.map(({ amount, tax, ...posting }) => ({
      ...posting,
      amount: amount / this.#unit,
      ...(tax !== 0 && { tax: tax / this.#unit }),
      currency: this.#plan.currency,
    }));
  }

  /** All lines of an order are posted at the same instant, a day or two after it was placed. */
  #ship(lines: readonly OrderLineRow[]): void {
    const random = this.#random;
    const { purchasedAt, updatedAt } = lines[0]!;
    const at =
      Math.max(updatedAt, purchasedAt + (20 + random.whole(20)) * secondsPerHour) +
      random.whole(secondsPerHour);
    for (const line of lines) {
      const { remitsTax, commission, perLine, digitalServices, fulfils } = this.#terms;
      const { quantity, lineId: id, orderId, sku } = line;
      const offer = this.#offers.get(sku)!;
      const [net, tax] = [this.#minor(line.itemPrice), this.#minor(line.itemTax)];
      const [promotion, shipping] = [
        this.#minor(line.promotionDiscount),
        this.#minor(line.shippingPrice),
      ];
      const isOurs = offer.selfShipped || !fulfils;
      const about: AboutOrder = { sku, orderId, fulfillment: isOurs ? 'MFN' : 'AFN' };
      const paid = net - promotion + shipping + (remitsTax ? 0 : tax);
      const fee = Math.round(paid * commission[offer.group]!) + perLine;
      const parcels = offer.parcel * quantity;

      this.#postOfOrder(at, id, 'sales', 'Principal', net, {
        ...about,
        quantity,
        tax: remitsTax ? 0 : tax,
      });
      this.#postOfOrder(at, id, 'sellingFees', 'Commission', -fee, about);
      if (digitalServices > 0)
        this.#postOfOrder(
          at,
          id,
          'sellingFees',
          'DigitalServicesFee',
          -Math.round(fee * digitalServices),
          about,
        );
      if (promotion > 0) this.#postOfOrder(at, id, 'promotions', 'Promotion', -promotion, about);
      if (shipping > 0) this.#postOfOrder(at, id, 'otherIncome', 'Shipping', shipping, about);
      if (!isOurs) {
        this.#postOfOrder(at, id, 'shippingFees', 'FBAPerUnitFulfillmentFee', -parcels, about);
        // Whoever ships gets what the buyer has paid for it.
        if (shipping > 0)
          this.#postOfOrder(at, id, 'shippingFees', 'ShippingChargeback', -shipping, about);
        if (random.next() < lost.chance) this.#lose(at, id, offer);
      }
      this.#stored += parcels;
      this.#brought += parcels;
      if (random.next() < returnShares[offer.group]! * this.#terms.returns) {
        this.#refund({
          at,
          id,
          about,
          offer,
          quantity,
          net,
          tax,
          promotion,
          commission: fee - perLine,
        });
      }
    }
  }

  #refund({ at, id, about, offer, quantity, net, tax, promotion, commission }: Shipped): void {
    const { remitsTax, fulfils } = this.#terms;
    const random = this.#random;
    const returned = 1 + random.whole(quantity);
    const part = (minor: number) => Math.round((minor * returned) / quantity);
    const refundedAt = at + 7 * secondsPerDay + random.whole(21 * secondsPerDay);
    const post = (line: FinanceLine, code: string, minor: number, more: AboutOrder = about) =>
      this.#postOfOrder(refundedAt, `${id}-Refund`, line, code, minor, more);
    post('refunds', 'Principal', -part(net), {
      ...about,
      quantity: returned,
      tax: remitsTax ? 0 : -part(tax),
    });
    if (promotion > 0) post('refunds', 'Promotion', part(promotion));
    if (this.#plan.marketplace === 'primarymkt') {
      post('refundsAndReturnsOverheads', 'Commission', part(commission));
      const kept = Math.min(
        part(commission) * refundCommission.share,
        refundCommission.dollarsMax * this.#plan.perDollar * this.#unit,
      );
      post('refundsAndReturnsOverheads', 'RefundCommission', -Math.round(kept));
    }
    const isOurs = offer.selfShipped || !fulfils;
    const code = isOurs ? 'ReturnShipping' : 'FBACustomerReturnPerUnitFee';
    post(
      'refundsAndReturnsOverheads',
      code,
      -Math.round(offer.parcel * returned * (isOurs ? singleParcel : returnProcessing)),
    );
  }

  /** A unit is lost or damaged, paid for weeks later, and now and then found again. */
  #lose(at: number, id: string, { sku, netPrice }: Offer): void {
    const random = this.#random;
    const code = random.next() < 0.5 ? 'WAREHOUSE_LOST' : 'WAREHOUSE_DAMAGE';
    const paidAt = at + 10 * secondsPerDay + random.whole(30 * secondsPerDay);
    const paid = Math.round(netPrice * lost.worth);
    this.#post(paidAt, id, 'reimbursements', code, paid, { sku, fulfillment: 'AFN' });
    if (random.next() >= lost.found) return;
    const foundAt = paidAt + 14 * secondsPerDay + random.whole(21 * secondsPerDay);
    this.#post(foundAt, id, 'reimbursements', 'COMPENSATED_CLAWBACK', -paid, {
      sku,
      fulfillment: 'AFN',
    });
  }

  /** Ads are charged every few days, all that they have cost up to the day before. */
  #advertise(
    day: number,
    shipped: readonly OrderLineRow[],
    campaignDays: readonly CampaignDayRow[],
  ): void {
    const { adCharges } = this.#terms;
    if (adCharges === 'none') return;
    const isOwn = adCharges === 'campaigns';
    if (day % daysPerAdCharge === 0 && this.#advertised > 0) {
      const code = isOwn ? 'TransactionTotalAmount' : 'Search ads invoice';
      this.#post(
        startOf(day) + 8 * secondsPerHour,
        isoDate(day),
        'advertisingSpend',
        code,
        -this.#advertised,
      );
      this.#advertised = 0;
    }
    if (isOwn) for (const { cost } of campaignDays) this.#advertised += this.#minor(cost);
    else
      for (const { itemPrice } of shipped)
        this.#advertised += Math.round(this.#minor(itemPrice) * adCharges.shareOfSales);
  }

  #chargeRegularly(day: number): void {
    const { subscription, fulfils } = this.#terms;
    const random = this.#random;
    const { month, dayOfMonth } = calendarDay(day);
    const at = startOf(day) + 9 * secondsPerHour;
    const date = isoDate(day);
    if (dayOfMonth === dayOfSubscription)
      this.#post(at, date, 'sellingFees', 'Subscription Fee', -subscription);
    if (dayOfMonth === dayOfStorage) {
      const level =
        storage.share *
        (storage.dearMonths.includes(month) ? storage.dear : 1) *
        random.factor(0.05);
      if (this.#stored > 0)
        this.#post(at, date, 'otherExpenses', 'Storage Fee', -Math.round(this.#stored * level));
      this.#stored = 0;
    }
    if (day % daysPerTransfer === 5) {
      const inbound = Math.round(this.#brought * inboundShare * random.factor(0.2));
      if (inbound > 0)
        this.#post(
          at,
          date,
          'otherExpenses',
          fulfils ? 'FBAInboundTransportationFee' : 'Freight',
          -inbound,
        );
      this.#brought = 0;
    }
    if (fulfils && dayOfMonth === dayOfRemovals && removal.months.includes(month)) {
      const held = [...this.#offers.values()].filter(({ selfShipped }) => !selfShipped);
      for (let left = removal.skus; left > 0; left--) {
        const [{ sku }] = held.splice(random.whole(held.length), 1) as [Offer];
        const units = 4 + random.whole(20);
        const fee = Math.round(removal.dollars * this.#plan.perDollar * this.#unit) * units;
        this.#post(at, `${date}-${sku}`, 'otherExpenses', 'RemovalComplete', -fee, {
          sku,
          fulfillment: 'AFN',
        });
      }
    }
  }

  #postOfOrder(
    at: number,
    id: string,
    line: FinanceLine,
    code: string,
    minor: number,
    about: AboutOrder,
  ): void {
    if (at >= this.#ordersFrom) this.#post(at, id, line, code, minor, about);
    else {
      const { orderId: _, ...summed } = about;
      const day = Math.floor(at / secondsPerDay);
      const lastDay = line === 'sales' || line === 'refunds' ? day : endOfWeek(day);
      this.#post(
        endOf(lastDay),
        `${isoDate(lastDay)}-${about.sku}-${line}`,
        line,
        code,
        minor,
        summed,
      );
    }
  }

  /** Awaits an event, or adds to the one of the same number that is awaited. */
  #post(
    postedAt: number,
    id: string,
    line: FinanceLine,
    code: string,
    amount: number,
    { tax = 0, ...about }: About = {},
  ): void {
    const day = Math.floor(postedAt / secondsPerDay);
    const eventId = `${id}-${code}`;
    const ofDay = this.#awaited.get(day) ?? new Map<string, Posting>();
    this.#awaited.set(day, ofDay);
    const held = ofDay.get(eventId);
    if (held === undefined)
      ofDay.set(eventId, { eventId, postedAt, ...about, line, code, amount, tax });
    else {
      held.amount += amount;
      held.tax += tax;
      if (held.quantity !== undefined) held.quantity += about.quantity!;
    }
  }

  #minor(amount: number): number {
    return Math.round(amount * this.#unit);
  }
}

/** What goods of the Chinese supplier cost in yuan, for each dollar. */
const yuanPerDollar = 7.1;
/** How long ago costs changed, in days, and what they are from the month of that day on, compared with those in between. */
const costChanges = [
  { daysAgo: 210, level: 1 },
  { daysAgo: 75, level: 1.04 },
] as const;
const firstCostLevel = 0.96;

/** What units cost, from before the first order on: of every second product with two changes, of the others with one. */
export function unitCostRows(
  plan: Plan,
  offers: readonly Offer[],
  anchorDay: number,
): UnitCostRow[] {
  const { terms, places, currency } = plan;
  if (terms === undefined) return [];
  const unit = 10 ** places;
  const times = [{ daysAgo: plan.orderDays, level: firstCostLevel }, ...costChanges];
  return offers.flatMap(
    ({ sku, dollars, netPrice, costShare, supplierCurrency, selfShipped, parcel }, place) =>
      times.slice(0, 2 + (place % 2)).map(({ daysAgo, level }) => ({
        sku,
        effectiveFrom: isoDate(monthOfDay(anchorDay - daysAgo).firstDay),
        ...(supplierCurrency === ''
          ? { cogs: Math.round(netPrice * costShare * level) / unit, cogsCurrency: currency }
          : {
              cogs: Math.round(dollars * yuanPerDollar * costShare * level * 10) / 10,
              cogsCurrency: supplierCurrency,
            }),
        shippingCost: selfShipped || !terms.fulfils ? Math.round(parcel * singleParcel) / unit : 0,
      })),
  );
}

/** The last day of a week of its month, the fourth of which lasts until the end. */
function endOfWeek(day: number): number {
  const { firstDay, lastDay } = monthOfDay(day);
  const weeks = Math.floor((day - firstDay) / daysPerWeek) + 1;
  return weeks < weeksPerMonth ? firstDay + weeks * daysPerWeek - 1 : lastDay;
}

function startOf(day: number): number {
  return day * secondsPerDay;
}

function endOf(day: number): number {
  return (day + 1) * secondsPerDay - 1;
}
