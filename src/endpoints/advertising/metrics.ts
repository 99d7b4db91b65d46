/** The metrics of advertising rows: each as a number of the answer and, in the same terms, as what a question sorts by. */
import { leastWhole, roundedRatio, roundedSum, type Sum } from '../../report/money.ts';
import type { SortColumn } from '../../report/page.ts';

type Count =
  | 'impressions'
  | 'clicks'
  | 'conversions'
  | 'conversions_same_sku'
  | 'units'
  | 'units_same_sku'
  | 'orders_ntb'
  | 'units_ntb'
  | 'detail_page_views';
type Amount = 'cost' | 'sales' | 'sales_same_sku' | 'sales_ntb';

/** The sums of a row: counts, amounts that were in the target currency in millionths, and what the others come to in its units. */
export type Sums<Counts extends Count = Count, Amounts extends Amount = Amount> = {
  readonly [C in Counts]: number;
} & {
  readonly [A in Amounts]: bigint;
} & { readonly [A in Amounts as `${A}_converted`]: number };

/** What products have: nothing of customers new to the brand. */
export type ProductSums = Sums<
  'impressions' | 'clicks' | 'conversions' | 'conversions_same_sku' | 'units' | 'units_same_sku',
  'cost' | 'sales' | 'sales_same_sku'
>;

/** How many decimal places amounts are shown with, and unit prices. */
export type Places = { readonly amount: number; readonly unitPrice: number };

/** A metric. */
type Metric<Row> = { readonly of: (row: Row, places: Places) => number; readonly sort: SortColumn };

/** Something that is summed. */
type Part<Row> = { readonly of: (row: Row) => Sum; readonly sql: string };

/** Decimal places of percents and plain ratios. */
const ratioPlaces = 2;
const millionths = 1_000_000n;

function counted<Name extends Count>(name: Name): Part<{ readonly [C in Name]: number }> {
  return {
    of: (row) => ({ exact: BigInt(row[name]) * millionths, converted: 0 }),
    sql: `CAST(${name} AS DOUBLE)`,
  };
}

function summed<Name extends Amount>(name: Name): Part<Sums<never, Name>> {
  const converted: `${Amount}_converted` = `${name}_converted`;
  return {
    of: (row: Readonly<Record<string, bigint | number>>) => ({
      exact: row[name] as bigint,
      converted: row[converted] as number,
    }),
    sql: `(CAST(${name} AS DOUBLE) + ${name}_converted)`,
  };
}

function count<Name extends Count>(name: Name): Metric<{ readonly [C in Name]: number }> {
  return { of: (row) => row[name], sort: { kind: 'number', sql: name } };
}

function amount<Name extends Amount>(name: Name): Metric<Sums<never, Name>> {
  const part = summed(name);
  return {
    of: (row, places) => roundedSum(part.of(row), places.amount),
    sort: shownAmount(part.sql),
  };
}

function ratio<A, B>(part: Part<A>, whole: Part<B>, factor = 1): Metric<A & B> {
  return {
    of: (row) => roundedRatio(part.of(row), whole.of(row), ratioPlaces, factor),
    sort: {
      kind: 'number',
      sql: `round_half_up(${quotient(part, whole)} * ${factor}, ${10 ** ratioPlaces})`,
    },
  };
}

function unitPrice<A, B>(part: Part<A>, whole: Part<B>): Metric<A & B> {
  return {
    of: (row, places) => roundedRatio(part.of(row), whole.of(row), places.unitPrice),
    sort: {
      kind: 'number',
      sql: `round_half_up(${quotient(part, whole)}, {unitPriceScale:Float64})`,
    },
  };
}

function quotient(part: Part<never>, whole: Part<never>): string {
  return `CASE WHEN ${whole.sql} > ${leastWhole.toFixed(9)} THEN ${part.sql} / ${whole.sql} ELSE 0 END`;
}

/** How a column of amounts is sorted by: as it is shown. */
export function shownAmount(sql: string): SortColumn {
  return { kind: 'number', sql: `round_half_up(${sql}, {amountScale:Float64})` };
}

const metrics = {
  impressions: count('impressions'),
  clicks: count('clicks'),
  cost: amount('cost'),
  attributed_sales: amount('sales'),
  attributed_sales_same_sku: amount('sales_same_sku'),
  attributed_conversions: count('conversions'),
  attributed_conversions_same_sku: count('conversions_same_sku'),
  attributed_units_ordered: count('units'),
  attributed_units_ordered_same_sku: count('units_same_sku'),
  acos: ratio(summed('cost'), summed('sales'), 100),
  click_through_rate: ratio(counted('clicks'), counted('impressions'), 100),
  cost_per_click: unitPrice(summed('cost'), counted('clicks')),
  conversion_rate: ratio(counted('conversions'), counted('clicks'), 100),
  roas: ratio(summed('sales'), summed('cost')),
};

/** The metrics of products. */
export const productMetrics = metrics satisfies Readonly<Record<string, Metric<ProductSums>>>;

/** The metrics of ad groups. */
export const adGroupMetrics = {
  ...metrics,
  attributed_orders_ntb: count('orders_ntb'),
  attributed_units_ordered_ntb: count('units_ntb'),
  attributed_sales_ntb: amount('sales_ntb'),
  attributed_orders_ntb_percentage: ratio(counted('orders_ntb'), counted('conversions'), 100),
  attributed_units_ordered_ntb_percentage: ratio(counted('units_ntb'), counted('units'), 100),
  attributed_sales_ntb_percentage: ratio(summed('sales_ntb'), summed('sales'), 100),
  attributed_detail_page_views_clicks: count('detail_page_views'),
} satisfies Readonly<Record<string, Metric<Sums>>>;

/** The metrics of campaigns. */
export const campaignMetrics = {
  ...adGroupMetrics,
  cost_per_acquisition: unitPrice(summed('cost'), counted('conversions')),
} satisfies Readonly<Record<string, Metric<Sums>>>;

/** The value of every metric in a row. */
export function metricsOf<Row, Name extends string>(
  list: Readonly<Record<Name, Metric<Row>>>,
  row: Row,
  places: Places,
): Record<Name, number> {
  const values = {} as Record<Name, number>;
  for (const name in list) values[name] = list[name].of(row, places);
  return values;
}

/** What every metric is sorted by. */
export function metricSorts<Name extends string>(
  list: Readonly<Record<Name, { readonly sort: SortColumn }>>,
): Record<Name, SortColumn> {
  const sorts = {} as Record<Name, SortColumn>;
  for (const name in list) sorts[name] = list[name].sort;
  return sorts;
}
