/** The lines of a profit and loss, and the ratios made of them. */
import type { Answer } from '../client.ts';
import { numberOf } from '../view/format.ts';
import { exact, type ProfitRow } from '../view/profits.ts';
import type { Store } from '../view/stores.tsx';

/** The profit and loss of a product. */
export type ProductRow = Answer<'readProductProfitAndLoss'>['productEvents'][number];

const revenue = ['sales', 'refunds', 'promotions', 'reimbursements', 'otherIncome'] as const;
const expenses = [
  'sellingFees',
  'shippingFees',
  'refundsAndReturnsOverheads',
  'advertisingSpend',
  'cogs',
  'otherExpenses',
] as const;
/** A line of the profit and loss. */
export type Line = (typeof revenue)[number] | (typeof expenses)[number];
/** All lines; expenses are positive where they cost. */
export type Figures = Readonly<Record<Line, number>>;

const lines = [...revenue, ...expenses] as const;
const isExpense = (line: Line) => (expenses as readonly Line[]).includes(line);

/** Adds buckets up, or what they are compared with; undefined where there is nothing to compare. */
export function sumOf(rows: readonly ProfitRow[], isPrior = false): Figures | undefined {
  const sums: Partial<Record<Line, number>> = {};
  for (const line of lines) {
    const values = rows.map((row) => numberOf(row[isPrior ? priorOf(line) : line]));
    if (values.length === 0 || values.includes(undefined)) return undefined;
    sums[line] = exact((values as number[]).reduce((total, value) => total + value, 0));
  }
  return sums as Figures;
}

/** The name of the figure that a line is compared with. */
function priorOf<Name extends Line>(line: Name) {
  return `prior${line[0]!.toUpperCase()}${line.slice(1)}` as `prior${Capitalize<Name>}`;
}

/** The effect of a line on the profit: expenses take away. */
const effectOf = (figures: Figures, line: Line): number =>
  isExpense(line) ? 0 - figures[line] : figures[line];

/** The effect of some lines on the profit. */
export const effectsOf = (figures: Figures, some: readonly Line[]): number =>
  exact(some.reduce((total, line) => total + effectOf(figures, line), 0));

/** Revenue less expenses. */
export const netProfitOf = (figures: Figures): number => effectsOf(figures, lines);

/** Sales less refunds and promotions, and all other income. */
export const revenueOf = (figures: Figures): number => effectsOf(figures, revenue);

/** A part in percent of a whole; undefined unless there is one, as where only refunds are booked. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole > 0 ? (part / whole) * 100 : undefined;

/** Net profit in percent of revenue, as the API defines the margin. */
export const marginOf = (figures: Figures): number | undefined =>
  shareOf(netProfitOf(figures), revenueOf(figures));

/** Fees of the marketplace and of shipping in percent of sales. */
export const feeShareOf = (figures: Figures): number | undefined =>
  shareOf(figures.sellingFees + figures.shippingFees, figures.sales);

/** The sales without a cost of goods, and the number of their products. */
export type WithoutCosts = {
  readonly sales: number;
  readonly products: number;
  /** Whether the number of products is exact: products of several buckets may be the same. */
  readonly isExact: boolean;
};

/** Sales without unit costs; the fewer buckets, the better products can be counted. */
export function withoutCostsOf(rows: readonly ProfitRow[]): WithoutCosts {
  return {
    sales: rows.reduce((total, row) => total + (numberOf(row.salesWithoutUnitCosts) ?? 0), 0),
    products: Math.max(0, ...rows.map((row) => row.productsWithoutUnitCosts)),
    isExact: rows.filter((row) => row.productsWithoutUnitCosts > 0).length <= 1,
  };
}

/** The profit and loss of a store. */
export type StoreProfit = {
  readonly store: Store;
  readonly figures: Figures | undefined;
  readonly prior: Figures | undefined;
  /** Sales without a cost of goods. */
  readonly uncosted: number;
  /** Why there are no figures, such as a currency without rates. */
  readonly problem?: string;
};

/** The profit and loss of a store, from the buckets of an answer. */
export const storeProfitOf = (store: Store, rows: Parameters<typeof sumOf>[0]): StoreProfit => ({
  store,
  figures: sumOf(rows),
  prior: sumOf(rows, true),
  uncosted: withoutCostsOf(rows).sales,
});
