/** The metrics of a store, as the views by period answer them. */
import type { Meaning } from '../parts/change.tsx';
import { numberOf, type Unit } from '../view/format.ts';

/** A row of a view by period: each figure, and beside it that of the comparison. */
export type Row = Readonly<Record<string, string | number>>;

/** How a metric is made over several rows. */
type Making =
  /** Added up. */
  | 'sum'
  /** The sum of a figure in percent of the sum of another. */
  | { readonly part: string; readonly whole: string }
  /** The sum of a figure divided by the sum of another. */
  | { readonly sum: string; readonly count: string }
  /** A percentage that counts by another figure. */
  | { readonly weight: string };

/** A metric of a store. */
export type Metric = {
  /** Its name in the address. */
  readonly id: string;
  readonly name: string;
  /** The field of the row. */
  readonly field: string;
  readonly unit: Unit;
  readonly meaning?: Meaning;
  readonly making: Making;
  /** The dataset that it needs, where its figures exist by the day only. */
  readonly dataset?: 'traffic' | 'campaignDays';
};

const tacos = { id: 'tacos', name: 'TACoS', unit: 'percent', meaning: 'bad' } as const;
const adSpend: Metric = {
  id: 'spend',
  name: 'Ad spend',
  field: 'adSpend',
  unit: 'amount',
  meaning: 'neither',
  making: 'sum',
  dataset: 'campaignDays',
};
const sales: Metric = { id: 'sales', name: 'Sales', field: 'sales', unit: 'amount', making: 'sum' };
const units: Metric = {
  id: 'units',
  name: 'Units',
  field: 'unitsSold',
  unit: 'count',
  making: 'sum',
};

/** The metrics of a seller. */
export const sellerMetrics: readonly Metric[] = [
  sales,
  units,
  {
    id: 'sessions',
    name: 'Sessions',
    field: 'totalSessions',
    unit: 'count',
    making: 'sum',
    dataset: 'traffic',
  },
  {
    id: 'conversion',
    name: 'Conversion',
    field: 'sessionConversions',
    unit: 'percent',
    making: { part: 'unitsSold', whole: 'totalSessions' },
    dataset: 'traffic',
  },
  {
    id: 'buy-box',
    name: 'Buy box',
    field: 'buyboxWinPercentage',
    unit: 'percent',
    making: { weight: 'pageViews' },
    dataset: 'traffic',
  },
  {
    ...tacos,
    field: 'tacos',
    making: { part: 'adSpend', whole: 'sales' },
    dataset: 'campaignDays',
  },
  adSpend,
];

/** The metrics of an own shop, whose traffic is unknown. */
export const shopMetrics: readonly Metric[] = [
  sales,
  units,
  { id: 'lines', name: 'Order lines', field: 'lineItemCount', unit: 'count', making: 'sum' },
  {
    id: 'average',
    name: 'Average order line',
    field: 'avgLineItemValue',
    unit: 'amount',
    making: { sum: 'sales', count: 'lineItemCount' },
  },
];

/** The metrics of a vendor. */
export const vendorMetrics: readonly Metric[] = [
  {
    id: 'sales',
    name: 'Ordered revenue',
    field: 'orderedRevenue',
    unit: 'amount',
    making: 'sum',
  },
  { id: 'units', name: 'Ordered units', field: 'orderedUnits', unit: 'count', making: 'sum' },
  { id: 'views', name: 'Glance views', field: 'glanceViews', unit: 'count', making: 'sum' },
  {
    id: 'conversion',
    name: 'Conversion',
    field: 'conversionRate',
    unit: 'percent',
    making: { part: 'orderedUnits', whole: 'glanceViews' },
  },
  {
    id: 'shipped',
    name: 'Shipped revenue',
    field: 'shippedRevenue',
    unit: 'amount',
    making: 'sum',
  },
  {
    ...tacos,
    field: 'tacosOrderedRevenue',
    making: { part: 'adSpend', whole: 'orderedRevenue' },
    dataset: 'campaignDays',
  },
  adSpend,
  {
    id: 'cogs',
    name: 'Shipped COGS',
    field: 'shippedCogs',
    unit: 'amount',
    meaning: 'neither',
    making: 'sum',
  },
];

/** A figure of a row, or that of its comparison. */
export function figureOf(row: Row, field: string, isPrior: boolean): number | undefined {
  return numberOf(row[isPrior ? `prior${field[0]!.toUpperCase()}${field.slice(1)}` : field]);
}

/** The figure of a metric over all rows: sums, and ratios of sums. */
export function totalOf(
  { field, making }: Metric,
  rows: readonly Row[],
  isPrior: boolean,
): number | undefined {
  const sumOf = (name: string, weight?: string) => {
    const known = rows.flatMap((row) => {
      const figure = figureOf(row, name, isPrior);
      if (figure === undefined) return [];
      return [weight === undefined ? figure : figure * (figureOf(row, weight, isPrior) ?? 0)];
    });
    return known.length === 0 ? undefined : known.reduce((one, other) => one + other, 0);
  };
  if (rows.length === 1) return figureOf(rows[0]!, field, isPrior);
  if (making === 'sum') return sumOf(field);
  const [above, below, factor] =
    'weight' in making
      ? [sumOf(field, making.weight), sumOf(making.weight), 1]
      : 'part' in making
        ? [sumOf(making.part), sumOf(making.whole), 100]
        : [sumOf(making.sum), sumOf(making.count), 1];
  return above === undefined || !below ? undefined : (above / below) * factor;
}
