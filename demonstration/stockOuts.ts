/** When products are out of stock in the marketplace's warehouses: now and then, some just now. */
import type { Offer } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { randomOf } from './random.ts';

/** The days on which a product is out of stock, both inclusive. */
export type StockOut = { readonly firstDay: number; readonly lastDay: number };

const halfYear = 182;
/** Chance of a stock-out in half a year, and its days. */
const past = { chance: 0.32, min: 4, more: 10 };
/** Share of products that are out of stock just now, and since how many days. */
const present = { share: 0.05, min: 3, more: 7 };
/** Best sellers are watched more closely: they are never out of stock just now. */
const watched = 3;

/** The products that are out of stock just now: at least one where the marketplace has the stock. */
export function missingNow(plan: Plan, offers: readonly Offer[]): ReadonlySet<string> {
  const stored = storedAt(plan, offers).slice(watched);
  if (stored.length === 0) return new Set();
  const random = randomOf(`missing ${plan.channelId}`);
  const first = stored[random.whole(stored.length)]!;
  const others = stored.filter(() => random.next() < present.share);
  return new Set([first, ...others].map(({ sku }) => sku));
}

/** The stock-outs of each offer up to and beyond the `anchorDay`. */
export function stockOutsOf(
  plan: Plan,
  offers: readonly Offer[],
  anchorDay: number,
): ReadonlyMap<string, readonly StockOut[]> {
  const missing = missingNow(plan, offers);
  const halfYears = Math.ceil(plan.dailyDays / halfYear);
  return new Map(
    storedAt(plan, offers).map(({ sku }) => {
      const random = randomOf(`stock ${plan.channelId} ${sku}`);
      const stockOuts: StockOut[] = [];
      for (let back = 0; back < halfYears; back++) {
        const lastDay = anchorDay - back * halfYear - 30 - random.whole(halfYear - 40);
        const firstDay = lastDay - past.min - random.whole(past.more) + 1;
        if (random.next() < past.chance) stockOuts.push({ firstDay, lastDay });
      }
      if (missing.has(sku)) {
        const firstDay = anchorDay - present.min - random.whole(present.more);
        stockOuts.push({ firstDay, lastDay: Number.POSITIVE_INFINITY });
      }
      return [sku, stockOuts];
    }),
  );
}

/** Whether a product is out of stock on a day. */
export function isOutOn(day: number, stockOuts: readonly StockOut[] = []): boolean {
  return stockOuts.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
}

/** The offers that the marketplace stores, best sellers first. */
function storedAt({ fulfils }: Plan, offers: readonly Offer[]): readonly Offer[] {
  return fulfils ? offers.filter(({ selfShipped }) => !selfShipped) : [];
}
