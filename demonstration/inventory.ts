/** The stock of each product in the marketplace's warehouses. */
import { isoDate, monthOfDay, startOfDay } from '../src/calendar/period.ts';
import { type Offer, offersOf } from './catalogue.ts';
import { countryOf } from './countries.ts';
import type { Plan } from './plans.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';
import { calendarDay } from './seasons.ts';
import { isOutOn, stockOutsOf } from './stockOuts.ts';

const firstPeakMonth = 10;
/** Litres from which a unit is oversize. */
const oversizeFrom = 8;
/** The country with long-term storage, and the number of best sellers that use it. */
const longTerm = { countryCode: 'USA', products: 6 };
/** Shares of products by days of cover: running out, as planned, overstocked. */
const covers = [
  { share: 0.22, min: 3, max: 14 },
  { share: 0.6, min: 25, max: 75 },
  { share: 0.18, min: 150, max: 320 },
] as const;
const coverSums = runningSums(covers.map(({ share }) => share));
/** Below this many days of cover, a delivery is inbound. */
const reorderBelow = 30;

/** Days before the newest snapshot that have snapshots, too: two periods of thirty days. */
export const historyDays = 60;
/** Days of sales that a delivery brings. */
const daysOfDelivery = 30;

/** A channel's inventory on each of the last days, the oldest first. */
export function inventoryHistory(
  plan: Plan,
  orderLines: readonly OrderLineRow[],
  today: number,
  anchorDay: number,
) {
  const unitsPerCase = new Map(offersOf(plan).map((offer) => [offer.sku, offer.unitsPerCase]));
  const days = Array.from({ length: historyDays + 1 }, (_, back) => today - historyDays + back);
  return days.flatMap((day) => {
    const start = startOfDay(plan.timezone, day)!;
    const isBefore = ({ updatedAt }: OrderLineRow) => day === today || updatedAt < start;
    const rows = inventoryRows(plan, orderLines.filter(isBefore), day, anchorDay);
    const since = orderLines.filter((line) => line.status === 'Shipped' && !isBefore(line));
    const soldSince = Map.groupBy(since, ({ sku }) => sku);
    // Earlier stock was larger by the sales since then, less what deliveries brought.
    return rows.map((row) => {
      const units = Math.ceil((row.unitsShipped30 / 30) * daysOfDelivery);
      const delivery = Math.max(units, unitsPerCase.get(row.sku)!);
      const sold = unitsOf(soldSince.get(row.sku)) % delivery;
      return row.available === 0 ? row : { ...row, available: row.available + sold };
    });
  });
}

/** A channel's inventory on a day, from the order lines of the ninety days before. */
export function inventoryRows(
  plan: Plan,
  orderLines: readonly OrderLineRow[],
  day: number,
  anchorDay = day,
) {
  if (!plan.fulfils) return [];
  const offers = offersOf(plan);
  const stockOuts = stockOutsOf(plan, offers, anchorDay);
  const shipped = orderLines.filter(({ status }) => status === 'Shipped');
  const shippedBySku = Map.groupBy(shipped, ({ sku }) => sku);
  const { volumeLitres, storageRate, peakStorageRate } = countryOf(plan.countryCode);
  const nextMonth = calendarDay(monthOfDay(day).lastDay + 1).month;
  const rate = nextMonth >= firstPeakMonth ? peakStorageRate : storageRate;
  const unit = 10 ** plan.decimals;
  const starts = [7, 30, 60, 90].map((days) => startOfDay(plan.timezone, day - days)!);
  return offers
    .filter(({ selfShipped }) => !selfShipped)
    .map((offer, rank) => {
      const { sku, productId: asin, title } = offer;
      const own = shippedBySku.get(sku) ?? [];
      const [unitsShipped7, unitsShipped30, unitsShipped60, unitsShipped90] = starts.map((from) =>
        unitsOf(own.filter(({ updatedAt }) => updatedAt >= from)),
      ) as [number, number, number, number];
      const random = randomOf(`inventory ${plan.channelId} ${sku}`);
      const stock = isOutOn(day, stockOuts.get(sku))
        ? emptyStock(offer, unitsShipped90 / 90, random)
        : stockOf(offer, unitsShipped30 / 30, random);
      const isLongTerm = plan.countryCode === longTerm.countryCode && rank < longTerm.products;
      const held = stock.available + stock.reserved + stock.unfulfillable;
      const volume = (held * offer.litres) / volumeLitres;
      const monthly = (days: number) => wholeCases(offer, (unitsShipped30 / 30) * days);
      return {
        date: isoDate(day),
        sku,
        asin,
        title,
        storageType: storageTypeOf(offer),
        ...stock,
        awdOnhand: isLongTerm ? monthly(20 + random.whole(40)) : 0,
        awdInbound: isLongTerm && random.next() < 0.4 ? monthly(20) : 0,
        unitsShipped7,
        unitsShipped30,
        unitsShipped60,
        unitsShipped90,
        storageVolume: Math.round(volume * 1000) / 1000,
        estimatedStorageCostNextMonth: Math.round(volume * rate * unit) / unit,
        currency: plan.currency,
      };
    });
}

function unitsOf(lines: readonly OrderLineRow[] = []): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

function storageTypeOf({ group, litres }: Offer): 'Standard-Size' | 'Oversize' | 'Apparel' {
  if (group === 'Clothing') return 'Apparel';
  return litres >= oversizeFrom ? 'Oversize' : 'Standard-Size';
}

function stockOf(offer: Offer, perDay: number, random: Random) {
  const { min, max } = covers[pickIndex(random.next(), coverSums)]!;
  const cover = min + (max - min) * random.next();
  const reserved = Math.round(perDay * (1 + 2 * random.next()));
  return {
    available: Math.max(1, Math.round(perDay * cover)),
    reserved,
    inbound: cover < reorderBelow ? wholeCases(offer, perDay * (15 + random.whole(30))) : 0,
    unfulfillable: random.poisson(perDay * 0.6),
    fcTransfer: Math.round(reserved * random.next() * 0.6),
  };
}

/** A product that is sold out, with a delivery under way. */
function emptyStock(offer: Offer, perDay: number, random: Random) {
  return {
    available: 0,
    reserved: 0,
    inbound: wholeCases(offer, Math.max(1, perDay * (30 + random.whole(30)))),
    unfulfillable: random.poisson(perDay * 0.6),
    fcTransfer: 0,
  };
}

function wholeCases({ unitsPerCase }: Offer, units: number): number {
  return Math.ceil(units / unitsPerCase) * unitsPerCase;
}
