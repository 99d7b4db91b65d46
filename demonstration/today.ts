/** The state of a channel and of the simulated day that the parts of the simulation share. */
import type { Offer } from './catalogue.ts';
import type { Plan } from './plans.ts';
import type { Random } from './random.ts';

/** A simulated channel. Its parts draw from one source of randomness, so their order matters. */
export type Shop = {
  readonly plan: Plan;
  readonly offers: readonly Offer[];
  readonly random: Random;
  /** Minor units in one unit of the currency. */
  readonly unit: number;
  /** The day of the first start, in UTC. */
  readonly anchorDay: number;
};

/** The local day being simulated. */
export type Today = {
  readonly day: number;
  readonly date: string;
  /** Its first and last second. */
  readonly start: number;
  readonly end: number;
  /** Whether it is a day of deals. */
  readonly isDeal: boolean;
  /** Running sums of the demand for each offer. */
  readonly demandSums: readonly number[];
  /** The expected number of order lines of each offer; 0 while it is out of stock. */
  readonly expectedLines: readonly number[];
  /** The same if all offers were in stock. */
  readonly wantedLines: readonly number[];
};

/** An order line as traffic, advertising and vendor sales see it; `net` is in minor units. */
export type Sale = {
  readonly offerIndex: number;
  readonly quantity: number;
  readonly net: number;
};

/** The sums of the sales of an offer on a day, with their revenue in units of the currency. */
export function soldOf({ unit }: Shop, sales: readonly Sale[], index: number) {
  const own = sales.filter(({ offerIndex }) => offerIndex === index);
  return {
    orderedRevenue: own.reduce((sum, { net }) => sum + net, 0) / unit,
    orderedUnits: own.reduce((sum, { quantity }) => sum + quantity, 0),
    orderItems: own.length,
  };
}
