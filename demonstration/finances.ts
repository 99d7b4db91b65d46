/**
 * The financial events of a channel: sales and fees of shipped orders, refunds, reimbursements, and
 * charges for ads, storage and the like. Events of recent orders name the order. Older ones are
 * summed by product: sales and refunds by day, the rest four times a month.
 */

import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import type { FinanceLine } from '../src/contract/importable.ts';
import type { Offer } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { type Random, randomOf } from './random.ts';
import type { CampaignDayRow, FinanceEventRow, OrderLineRow } from './rows.ts';
import { calendarDay } from './seasons.ts';
import { singleParcelLevel } from './unitCosts.ts';

/** Details of an event besides its amount; tax in minor units. */
type Details = Pick<FinanceEventRow, 'sku' | 'orderId' | 'fulfillment' | 'quantity' | 'tax'>;
/** An event whose amounts, in minor units, may still grow. */
type Posting = Omit<FinanceEventRow, 'currency'> & { tax: number };
type ShippedLine = ReturnType<typeof shippedLine>;

const secondsPerHour = 3600;
const secondsPerDay = 86_400;
/** Share of units returned, by product group. */
const returnShares: Readonly<Record<string, number>> = {
  Kitchen: 0.035,
  Light: 0.045,
  Packs: 0.05,
  Camp: 0.05,
  Clothing: 0.075,
};
/** The part of a refunded sale's commission that the marketplace keeps, up to a limit. */
const refundCommission = { share: 0.2, dollarsMax: 5 };
/** Cost of processing a returned unit, relative to shipping it. */
const returnProcessingLevel = 1.2;
/** Units that the marketplace loses: how many, the part found again, and the share of the price paid. */
const lost = { chance: 0.007, found: 0.15, worth: 0.7 };
/** A month's storage, relative to the cost of shipping the same goods; dearer before the holidays. */
const storage = { share: 0.08, peakLevel: 2.4, peakMonths: [11, 12, 1] };
/** Transport to warehouses, and there the distribution of each product, relative to the same cost. */
const inbound = { transport: 0.05, placement: 0.04 };
/** Slow sellers, the units of each that have been stored for long, and a month's fee relative to the price. */
const agedStock = { share: 1 / 3, units: 12, fee: 0.012 };
const removal = { skus: 3, dollars: 0.97 };
/** Days of the month on which charges are made. */
const dayOf = { subscription: 3, storage: 8, agedStock: 15, removals: 18 };
const daysPerWeek = 7;
const weeksPerMonth = 4;
const daysPerAdCharge = 3;
const daysPerTransfer = 14;
/** Orders of the last days have one event each; earlier ones are summed. */
const daysOfOrderEvents = 60;

/** The finances of one channel, day by day. They have their own source of randomness. */
export class Finances {
  readonly #plan: Plan;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #random: Random;
  readonly #unit: number;
  /** From this instant on, events name their order. */
  readonly #ordersFrom: number;
  /** Events to come, by UTC day and event id. */
  readonly #pending = new Map<number, Map<string, Posting>>();
  /** Ad costs since the last charge. */
  #adCosts = 0;
  /** Shipping costs since storage was last charged, which storage fees follow. */
  #shippedSinceStorage = 0;
  /** Shipping costs by SKU since the last inbound shipment, whose fees follow them. */
  readonly #shippedSinceInbound = new Map<string, number>();
  /** The amount that the marketplace owes the seller. */
  #balance = 0;

  constructor(plan: Plan, offers: readonly Offer[], anchorDay: number) {
    this.#plan = plan;
    this.#offers = new Map(offers.map((offer) => [offer.sku, offer]));
    this.#random = randomOf(`books ${plan.channelId}`);
    this.#unit = 10 ** plan.decimals;
    this.#ordersFrom = (anchorDay - daysOfOrderEvents) * secondsPerDay;
  }

  /** Takes the next day's orders and ad costs; returns the events posted on that UTC day. */
  day(
    day: number,
    orderLines: readonly OrderLineRow[],
    campaignDays: readonly CampaignDayRow[],
  ): FinanceEventRow[] {
    const shipped = orderLines.filter(({ status }) => status === 'Shipped');
    for (const lines of Map.groupBy(shipped, ({ orderId }) => orderId).values()) this.#ship(lines);
    this.#chargeAds(day, campaignDays);
    this.#chargeRegularly(day);
    const posted = [...(this.#pending.get(day)?.values() ?? [])].sort(
      (left, right) => left.postedAt - right.postedAt,
    );
    for (const { amount, tax } of posted) this.#balance += amount + tax;
    if (day % daysPerTransfer === 0 && this.#balance > 0) {
      const [eventId, postedAt] = [`${isoDate(day)}-Transfer`, endOf(day)];
      const transfer = { line: 'balance', code: 'Transfer', amount: -this.#balance } as const;
      posted.push({ eventId, postedAt, ...transfer, tax: 0 });
      this.#balance = 0;
    }
    this.#pending.delete(day);
    return posted.map(({ amount, tax, ...posting }) => ({
      ...posting,
      amount: amount / this.#unit,
      ...(tax !== 0 && { tax: tax / this.#unit }),
      currency: this.#plan.currency,
    }));
  }

  /** Posts all lines of an order at the same instant, a day or two after it was placed. */
  #ship(lines: readonly OrderLineRow[]): void {
    const random = this.#random;
    const { purchasedAt, updatedAt } = lines[0]!;
    const at =
      Math.max(updatedAt, purchasedAt + (20 + random.whole(20)) * secondsPerHour) +
      random.whole(secondsPerHour);
    for (const row of lines) {
      const { sku } = row;
      const line = shippedLine(this.#plan, this.#offers.get(sku)!, row, at);
      this.#postSale(line);
      if (!line.isSelfShipped && random.next() < lost.chance) this.#postLoss(line);
      const cost = line.offer.shippingCost * line.quantity;
      this.#shippedSinceStorage += cost;
      this.#shippedSinceInbound.set(sku, (this.#shippedSinceInbound.get(sku) ?? 0) + cost);
      // A line free of charge is not refunded.
      const returnShare = returnShares[line.offer.group]! * this.#plan.returnLevel;
      if (line.net > 0 && random.next() < returnShare) this.#postRefund(line);
    }
  }

  #postSale({ at, id, details, offer, ...sale }: ShippedLine): void {
    const { digitalServices } = this.#plan;
    const { isSelfShipped, quantity, net, tax, promotion, shipping, fee } = sale;
    const post = this.#poster(at, id, details);
    post('sales', 'Principal', net, { quantity, tax });
    if (fee > 0) post('sellingFees', 'Commission', -fee);
    if (fee > 0 && digitalServices > 0)
      post('sellingFees', 'DigitalServicesFee', -Math.round(fee * digitalServices));
    if (promotion > 0) post('promotions', 'Promotion', -promotion);
    if (shipping > 0) post('otherIncome', 'Shipping', shipping);
    if (isSelfShipped) return;
    post('shippingFees', 'FBAPerUnitFulfillmentFee', -offer.shippingCost * quantity);
    // The marketplace ships, so it keeps what the buyer paid for shipping.
    if (shipping > 0) post('shippingFees', 'ShippingChargeback', -shipping);
  }

  #postRefund({ at, id, details, offer, ...sale }: ShippedLine): void {
    const { isSelfShipped, quantity, net, tax, promotion, commission } = sale;
    const { marketplace, perDollar } = this.#plan;
    const random = this.#random;
    const returned = 1 + random.whole(quantity);
    const part = (minor: number) => Math.round((minor * returned) / quantity);
    const refundedAt = at + 7 * secondsPerDay + random.whole(21 * secondsPerDay);
    const post = this.#poster(refundedAt, `${id}-Refund`, details);
    post('refunds', 'Principal', -part(net), { quantity: returned, tax: -part(tax) });
    if (promotion > 0) post('refunds', 'Promotion', part(promotion));
    if (marketplace === 'primarymkt') {
      post('refundsAndReturnsOverheads', 'Commission', part(commission));
      const retainedMax = refundCommission.dollarsMax * perDollar * this.#unit;
      const retained = Math.min(part(commission) * refundCommission.share, retainedMax);
      post('refundsAndReturnsOverheads', 'RefundCommission', -Math.round(retained));
    }
    const [code, level] = isSelfShipped
      ? ['ReturnShipping', singleParcelLevel]
      : ['FBACustomerReturnPerUnitFee', returnProcessingLevel];
    const returnCost = Math.round(offer.shippingCost * returned * level);
    post('refundsAndReturnsOverheads', code, -returnCost);
  }

  /** A unit is lost or damaged, reimbursed weeks later, and now and then found again. */
  #postLoss({ at, id, offer: { sku, netPrice } }: ShippedLine): void {
    const random = this.#random;
    const code = random.next() < 0.5 ? 'WAREHOUSE_LOST' : 'WAREHOUSE_DAMAGE';
    const paidAt = at + 10 * secondsPerDay + random.whole(30 * secondsPerDay);
    const paid = Math.round(netPrice * lost.worth);
    const post = (postedAt: number, name: string, minor: number) =>
      this.#post(postedAt, id, 'reimbursements', name, minor, { sku, fulfillment: 'AFN' });
    post(paidAt, code, paid);
    if (random.next() >= lost.found) return;
    const foundAt = paidAt + 14 * secondsPerDay + random.whole(21 * secondsPerDay);
    post(foundAt, 'COMPENSATED_CLAWBACK', -paid);
  }

  /** Ads are charged every few days, for all costs up to the day before. */
  #chargeAds(day: number, campaignDays: readonly CampaignDayRow[]): void {
    if (!this.#plan.postsAdCharges) return;
    if (day % daysPerAdCharge === 0 && this.#adCosts > 0) {
      const at = day * secondsPerDay + 8 * secondsPerHour;
      const code = 'TransactionTotalAmount';
      this.#post(at, isoDate(day), 'advertisingSpend', code, -this.#adCosts);
      this.#adCosts = 0;
    }
    for (const { cost } of campaignDays) this.#adCosts += Math.round(cost * this.#unit);
  }

  #chargeRegularly(day: number): void {
    const { subscription, fulfils } = this.#plan;
    const { month, dayOfMonth } = calendarDay(day);
    const at = day * secondsPerDay + 9 * secondsPerHour;
    const date = isoDate(day);
    if (dayOfMonth === dayOf.subscription)
      this.#post(at, date, 'sellingFees', 'Subscription Fee', -subscription);
    if (dayOfMonth === dayOf.storage) {
      const seasonLevel = storage.peakMonths.includes(month) ? storage.peakLevel : 1;
      const level = storage.share * seasonLevel * this.#random.factor(0.05);
      this.#charge(at, date, 'Storage Fee', Math.round(this.#shippedSinceStorage * level));
      this.#shippedSinceStorage = 0;
    }
    if (day % daysPerTransfer === 5) this.#chargeInbound(at, date);
    if (fulfils && dayOfMonth === dayOf.agedStock) this.#chargeAgedStock(at, date);
    if (fulfils && dayOfMonth === dayOf.removals) this.#chargeRemovals(at, date);
  }

  /** Charges for goods on their way to the warehouses, and for their distribution there. */
  #chargeInbound(at: number, date: string): void {
    let sent = 0;
    for (const [sku, cost] of this.#shippedSinceInbound) {
      const isStored = this.#plan.fulfils && !this.#offers.get(sku)!.selfShipped;
      const [code, share] = isStored
        ? ['FBAInboundPlacementFee', inbound.placement]
        : ['Freight', inbound.transport + inbound.placement];
      if (isStored) sent += cost;
      this.#charge(at, date, code, Math.round(cost * share), sku, isStored ? 'AFN' : 'MFN');
    }
    const fee = Math.round(sent * inbound.transport * this.#random.factor(0.2));
    this.#charge(at, date, 'FBAInboundTransportationFee', fee);
    this.#shippedSinceInbound.clear();
  }

  /** Charges for slow sellers that have been in the marketplace's warehouses for long. */
  #chargeAgedStock(at: number, date: string): void {
    const slowSellers = Math.ceil(this.#offers.size * agedStock.share);
    for (const { sku, selfShipped, netPrice } of [...this.#offers.values()].slice(-slowSellers)) {
      if (selfShipped) continue;
      const fee = Math.round(netPrice * agedStock.fee * this.#random.poisson(agedStock.units));
      this.#charge(at, date, 'StorageRenewalBilling', fee, sku);
    }
  }

  /** Charges for removing a few units of some products from the marketplace's warehouses. */
  #chargeRemovals(at: number, date: string): void {
    const stored = [...this.#offers.values()].filter(({ selfShipped }) => !selfShipped);
    const perUnit = Math.round(removal.dollars * this.#plan.perDollar * this.#unit);
    for (let left = removal.skus; left > 0; left--) {
      const [{ sku }] = stored.splice(this.#random.whole(stored.length), 1) as [Offer];
      this.#charge(at, date, 'RemovalComplete', perUnit * (4 + this.#random.whole(20)), sku);
    }
  }

  /** Charges a fee, unless it is none, for a product or for all. */
  #charge(
    at: number,
    date: string,
    code: string,
    fee: number,
    sku?: string,
    fulfillment: 'AFN' | 'MFN' = 'AFN',
  ): void {
    if (fee <= 0) return;
    const [id, details] = sku === undefined ? [date] : [`${date}-${sku}`, { sku, fulfillment }];
    this.#post(at, id, 'otherExpenses', code, -fee, details);
  }

  /** Posts events of an order: each by itself of late, and as a part of a sum before. */
  #poster(at: number, id: string, { orderId, ...details }: ShippedLine['details']) {
    return (line: FinanceLine, code: string, minor: number, more: Details = {}): void => {
      if (at >= this.#ordersFrom) {
        this.#post(at, id, line, code, minor, { orderId, ...details, ...more });
        return;
      }
      const day = Math.floor(at / secondsPerDay);
      const lastDay = line === 'sales' || line === 'refunds' ? day : endOfWeek(day);
      const sumId = `${isoDate(lastDay)}-${details.sku}-${line}`;
      this.#post(endOf(lastDay), sumId, line, code, minor, { ...details, ...more });
    };
  }

  /** Adds a pending event, or adds to the pending one with the same id. */
  #post(
    postedAt: number,
    id: string,
    line: FinanceLine,
    code: string,
    amount: number,
    { tax = 0, ...details }: Details = {},
  ): void {
    const day = Math.floor(postedAt / secondsPerDay);
    const eventId = `${id}-${code}`;
    const ofDay = this.#pending.get(day) ?? new Map<string, Posting>();
    this.#pending.set(day, ofDay);
    const existing = ofDay.get(eventId);
    if (existing === undefined)
      ofDay.set(eventId, { eventId, postedAt, ...details, line, code, amount, tax });
    else {
      existing.amount += amount;
      existing.tax += tax;
      if (existing.quantity !== undefined) existing.quantity += details.quantity!;
    }
  }
}

/** A shipped order line, with amounts in minor units, and the tax that the seller receives. */
function shippedLine(plan: Plan, offer: Offer, row: OrderLineRow, at: number) {
  const minor = (amount: number) => Math.round(amount * 10 ** plan.decimals);
  const { quantity, lineId: id, orderId, sku } = row;
  const [net, tax] = [minor(row.itemPrice), plan.remitsTax ? 0 : minor(row.itemTax)];
  const [promotion, shipping] = [minor(row.promotionDiscount), minor(row.shippingPrice)];
  const isSelfShipped = offer.selfShipped || !plan.fulfils;
  const share = offer.group === 'Clothing' ? plan.commissionOnClothing : plan.commission;
  const paid = net - promotion + shipping + tax;
  const commission = paid > 0 ? Math.round(paid * share) : 0;
  return {
    at,
    id,
    offer,
    isSelfShipped,
    quantity,
    net,
    tax,
    promotion,
    shipping,
    commission,
    details: { sku, orderId, fulfillment: isSelfShipped ? ('MFN' as const) : ('AFN' as const) },
    /** The commission with the fixed fee of the line. */
    fee: paid > 0 ? commission + plan.feePerLine : 0,
  };
}

/** The last day of the week of its month; the fourth week runs to the end of the month. */
function endOfWeek(day: number): number {
  const { firstDay, lastDay } = monthOfDay(day);
  const weeks = Math.floor((day - firstDay) / daysPerWeek) + 1;
  return weeks < weeksPerMonth ? firstDay + weeks * daysPerWeek - 1 : lastDay;
}

function endOf(day: number): number {
  return (day + 1) * secondsPerDay - 1;
}
