/** What the marketplace's warehouses hold of each product on the morning of the day after the last one with facts. */
import { isoDate, monthOfDay, startOfDay } from '../calendar/period.ts';
import { type Offer, offersOf, type Plan } from './catalogue.ts';
import type { OrderLineRow } from './facts.ts';
import { placeOf, type Random, randomOf, runningSums } from './random.ts';
import { calendarDay } from './seasons.ts';

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

/** How a country measures what is stored and charges for a month of it: litres of a unit of volume, and its rate, dearer before the holidays. */
const storage: Readonly<
  Record<string, { readonly litres: number; readonly rate: number; readonly dearRate: number }>
> = {
  USA: { litres: 28.3168, rate: 0.78, dearRate: 2.4 },
  GBR: { litres: 28.3168, rate: 0.75, dearRate: 1.1 },
  DEU: { litres: 1000, rate: 27.5, dearRate: 38 },
  JPN: { litres: 1, rate: 5.7, dearRate: 9.2 },
  AUS: { litres: 1000, rate: 31, dearRate: 45 },
};
const firstDearMonth = 10;
/** From this volume of a unit on, in litres, it is oversize. */
const oversizeFrom = 8;
/** Where the marketplace has long-term storage, and for which of the most bought products it is used. */
const longTerm = { countryCode: 'USA', products: 6 };
/** How many days stock lasts, by how likely that is: nothing left, running out, as planned, and far too much. */
const covers = [
  { share: 0.06, least: 0, most: 0 },
  { share: 0.16, least: 3, most: 14 },
  { share: 0.6, least: 25, most: 75 },
  { share: 0.18, least: 150, most: 320 },
] as const;
const coverSums = runningSums(covers.map(({ share }) => share));
/** Below this cover, in days, the next delivery is on its way. */
const deliveredBelow = 30;

/** The snapshot of a channel on a `day`, after the order lines of the last ninety days; none where the marketplace stores nothing. */
export function inventoryRows(
  plan: Plan,
  orderLines: readonly OrderLineRow[],
  day: number,
): InventoryRow[] {
  if (plan.marketplace !== 'primarymkt' || plan.terms?.fulfils !== true) return [];
  const windows = [7, 30, 60, 90].map((days) => startOfDay(plan.timezone, day - days)!);
  const shippedBySku = Map.groupBy(
    orderLines.filter(({ status }) => status === 'Shipped'),
    ({ sku }) => sku,
  );
  return offersOf(plan)
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
      const stock = stockOf(offer, unitsShipped30 / 30, random);
      const isLongTerm = plan.countryCode === longTerm.countryCode && rank < longTerm.products;
      const { litres, rate, dearRate } = storage[plan.countryCode]!;
      const volume =
        ((stock.available + stock.reserved + stock.unfulfillable) * offer.litres) / litres;
      const nextMonth = calendarDay(monthOfDay(day).lastDay + 1).month;
      const unit = 10 ** plan.places;
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
          Math.round(volume * (nextMonth >= firstDearMonth ? dearRate : rate) * unit) / unit,
        currency: plan.currency,
      };
    });
}

function stockOf(offer: Offer, perDay: number, random: Random) {
  const { least, most } = covers[placeOf(random.next(), coverSums)]!;
  const cover = least + (most - least) * random.next();
  const reserved = Math.round(perDay * (1 + 2 * random.next()));
  return {
    available: Math.round(perDay * cover),
    reserved,
    inbound: cover < deliveredBelow ? wholeCases(offer, perDay * (15 + random.whole(30))) : 0,
    unfulfillable: random.poisson(perDay * 0.6),
    fcTransfer: Math.round(reserved * random.next() * 0.6),
  };
}

function wholeCases({ unitsPerCase }: Offer, units: number): number {
  return Math.ceil(units / unitsPerCase) * unitsPerCase;
}
