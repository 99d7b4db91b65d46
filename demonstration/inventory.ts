/** The stock of each product in the marketplace's warehouses. */
import { isoDate, monthOfDay, startOfDay } from '../src/calendar/period.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import type { OrderLineRow } from './rows.ts';
import { calendarDay } from './seasons.ts';
import { stockOutsOf } from './stockOuts.ts';

/** A row of the dataset inventory. */
export type InventoryRow = {
  date: string;
  sku: string;
  asin: string;
  title: string;
  storageType: 'Standard-Size' | 'Oversize' | 'Apparel';
  available: number;
  reserved: number;
  inbound: number;
  unfulfillable: number;
  fcTransfer: number;
  awdOnhand: number;
  awdInbound: number;
  unitsShipped7: number;
  unitsShipped30: number;
  unitsShipped60: number;
  unitsShipped90: number;
  storageVolume: number;
  estimatedStorageCostNextMonth: number;
  currency: string;
};

/** Storage by country: litres per unit of volume, and its monthly rate, higher before the holidays. */
const storage: Readonly<
  Record<string, { readonly litres: number; readonly rate: number; readonly peakRate: number }>
> = {
  USA: { litres: 28.3168, rate: 0.78, peakRate: 2.4 },
  GBR: { litres: 28.3168, rate: 0.75, peakRate: 1.1 },
  DEU: { litres: 1000, rate: 27.5, peakRate: 38 },
  JPN: { litres: 1, rate: 5.7, peakRate: 9.2 },
  AUS: { litres: 1000, rate: 31, peakRate: 45 },
};
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
): InventoryRow[] {
  const newest = inventoryRows(plan, orderLines, today, anchorDay);
  if (newest.length === 0) return [];
  const unitsPerCase = new Map(offersOf(plan).map((offer) => [offer.sku, offer.unitsPerCase]));
  const history = [newest];
  for (let day = today - 1; day >= today - historyDays; day--) {
    const start = startOfDay(plan.timezone, day)!;
    const isBefore = ({ updatedAt }: OrderLineRow) => updatedAt < start;
    const soldSince = new Map<string, number>();
    for (const line of orderLines)
      if (line.status === 'Shipped' && !isBefore(line))
        soldSince.set(line.sku, (soldSince.get(line.sku) ?? 0) + line.quantity);
    const rows = inventoryRows(plan, orderLines.filter(isBefore), day, anchorDay);
    // The stock was larger by what was sold since, but for what deliveries brought.
    history.push(
      rows.map((row) => {
        const units = Math.ceil((row.unitsShipped30 / 30) * daysOfDelivery);
        const delivery = Math.max(units, unitsPerCase.get(row.sku)!);
        const sold = (soldSince.get(row.sku) ?? 0) % delivery;
        return row.available === 0 ? row : { ...row, available: row.available + sold };
      }),
    );
  }
  return history.reverse().flat();
}

/** A channel's inventory on a day, from the order lines of the ninety days before. */
export function inventoryRows(
  plan: Plan,
  orderLines: readonly OrderLineRow[],
  day: number,
  anchorDay = day,
): InventoryRow[] {
  if (plan.marketplace !== 'primarymkt' || plan.terms?.fulfils !== true) return [];
  const windows = [7, 30, 60, 90].map((days) => startOfDay(plan.timezone, day - days)!);
  const shippedBySku = Map.groupBy(
    orderLines.filter(({ status }) => status === 'Shipped'),
    ({ sku }) => sku,
  );
  const offers = offersOf(plan);
  const stockOuts = stockOutsOf(plan, offers, anchorDay);
  const isMissing = (sku: string) =>
    stockOuts.get(sku)!.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  return offers
    .filter(({ selfShipped }) => !selfShipped)
    .map((offer, rank) => {
      const shipped = shippedBySku.get(offer.sku) ?? [];
      const [unitsShipped7, unitsShipped30, unitsShipped60, unitsShipped90] = windows.map((from) =>
        shipped.reduce(
          (sum, { updatedAt, quantity }) => sum + (updatedAt >= from ? quantity : 0),
          0,
        ),
      ) as [number, number, number, number];
      const { sku, productId: asin, title } = offer;
      const random = randomOf(`inventory ${plan.channelId} ${sku}`);
      const stock = isMissing(sku)
        ? emptyStock(offer, unitsShipped90 / 90, random)
        : stockOf(offer, unitsShipped30 / 30, random);
      const isLongTerm = plan.countryCode === longTerm.countryCode && rank < longTerm.products;
      const { litres, rate, peakRate } = storage[plan.countryCode]!;
      const volume =
        ((stock.available + stock.reserved + stock.unfulfillable) * offer.litres) / litres;
      const nextMonth = calendarDay(monthOfDay(day).lastDay + 1).month;
      const unit = 10 ** plan.decimals;
      return {
        date: isoDate(day),
        ...{ sku, asin, title },
        storageType:
          offer.group === 'Clothing'
            ? 'Apparel'
            : offer.litres >= oversizeFrom
              ? 'Oversize'
              : 'Standard-Size',
        ...stock,
        awdOnhand: isLongTerm
          ? wholeCases(offer, (unitsShipped30 / 30) * (20 + random.whole(40)))
          : 0,
        awdInbound:
          isLongTerm && random.next() < 0.4 ? wholeCases(offer, (unitsShipped30 / 30) * 20) : 0,
        ...{ unitsShipped7, unitsShipped30, unitsShipped60, unitsShipped90 },
        storageVolume: Math.round(volume * 1000) / 1000,
        estimatedStorageCostNextMonth:
          Math.round(volume * (nextMonth >= firstPeakMonth ? peakRate : rate) * unit) / unit,
        currency: plan.currency,
      };
    });
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
    ...{ available: 0, reserved: 0 },
    inbound: wholeCases(offer, Math.max(1, perDay * (30 + random.whole(30)))),
    unfulfillable: random.poisson(perDay * 0.6),
    fcTransfer: 0,
  };
}

function wholeCases({ unitsPerCase }: Offer, units: number): number {
  return Math.ceil(units / unitsPerCase) * unitsPerCase;
}
