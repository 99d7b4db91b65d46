/** The figures of the tiles, which the chart shows over time. */
import type { Meaning } from '../parts/change.tsx';
import type { Unit } from '../view/format.ts';
import { type Figures, feeShareOf, marginOf, netProfitOf, shareOf } from './figures.ts';

/** A figure of the profit. */
export type ProfitMetric = {
  /** Its name in the address. */
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly meaning: Meaning;
  /** The whole of a ratio, such as "of sales". */
  readonly suffix?: string;
  /** Whether missing unit costs make it look better than it is. */
  readonly needsCosts: boolean;
  readonly of: (figures: Figures) => number | undefined;
};

/** The figures, in the order of the tiles. */
export const metrics: readonly ProfitMetric[] = [
  {
    id: 'profit',
    name: 'Net profit',
    unit: 'amount',
    meaning: 'good',
    needsCosts: true,
    of: netProfitOf,
  },
  {
    id: 'margin',
    name: 'Margin',
    unit: 'percent',
    meaning: 'good',
    suffix: 'of revenue',
    needsCosts: true,
    of: marginOf,
  },
  {
    id: 'sales',
    name: 'Sales',
    unit: 'amount',
    meaning: 'good',
    needsCosts: false,
    of: ({ sales }) => sales,
  },
  {
    id: 'fees',
    name: 'Fees',
    unit: 'percent',
    meaning: 'bad',
    suffix: 'of sales',
    needsCosts: false,
    of: feeShareOf,
  },
  {
    id: 'advertising',
    name: 'Advertising',
    unit: 'percent',
    meaning: 'bad',
    suffix: 'of sales',
    needsCosts: false,
    of: ({ advertisingSpend, sales }) => shareOf(advertisingSpend, sales),
  },
  {
    id: 'costs',
    name: 'Cost of goods',
    unit: 'percent',
    meaning: 'bad',
    suffix: 'of sales',
    needsCosts: true,
    of: ({ cogs, sales }) => shareOf(cogs, sales),
  },
];
