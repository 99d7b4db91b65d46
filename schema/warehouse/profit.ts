/** The figures of the profit and loss, and the grains by which `profit.sql` sums them. */

/** The lines of the profit and loss, each with the column of its sum. */
export const profitLines = {
  sales: 'sales',
  promotions: 'promotions',
  refunds: 'refunds',
  reimbursements: 'reimbursements',
  otherIncome: 'other_income',
  advertisingSpend: 'advertising',
  sellingFees: 'selling_fees',
  shippingFees: 'shipping_fees',
  refundsAndReturnsOverheads: 'overheads',
  /** The cost of the units sold. */
  cogs: 'cogs',
  otherExpenses: 'other_expenses',
} as const;

/** A line of the profit and loss. */
export type ProfitLine = keyof typeof profitLines;

/** Figures that a request may add to a line, each with the column of its sum. */
export const profitExtras = {
  salesTax: { line: 'sales', column: 'sales_tax' },
  refundsTax: { line: 'refunds', column: 'refunds_tax' },
  /** The cost of the units returned. */
  cogsReturned: { line: 'cogs', column: 'cogs_returned' },
} as const satisfies Record<string, { line: ProfitLine; column: string }>;

type Extras = typeof profitExtras;

/** The column of the sum of a figure. */
export type ProfitColumn = (typeof profitLines)[ProfitLine] | Extras[keyof Extras]['column'];

const figures: readonly (readonly [figure: string, column: ProfitColumn])[] = [
  ...Object.entries(profitLines),
  ...Object.entries(profitExtras).map(([figure, { column }]) => [figure, column] as const),
];

/** Every column of the profit and loss. Credits are positive, debits and costs negative. */
export const profitColumns: readonly ProfitColumn[] = figures.map(([, column]) => column);

/** The columns of a grain, each with its SQL expression. */
type Grain = Readonly<Record<string, string>>;

/** The values of the placeholders in `profit.sql`. */
export type ProfitBody = {
  readonly grain: Grain;
  /** The column of the grain by whose date the unit costs are chosen. */
  readonly date: string;
  /** The condition on events that count. */
  readonly events: string;
};

/** The placeholders of `profit.sql`, which sums financial events by a grain. */
export function profitPlaces({ grain, date, events }: ProfitBody) {
  return {
    ...grainPlaces(grain),
    date,
    events,
    figures: figures.map(
      ([figure, column]) =>
        `sum(CASE WHEN figure = '${figure}' THEN amount ELSE amount(0) END) AS ${column}`,
    ),
  };
}

/** The placeholders of a body that sums a rollup: its grain and the sums of its figures. */
export function profitSumPlaces(grain: Grain) {
  return { ...grainPlaces(grain), sums: profitColumns.map((name) => `sum(${name}) AS ${name}`) };
}

function grainPlaces(grain: Grain) {
  const columns = Object.entries(grain).map(([name, sql]) =>
    sql === name ? name : `${sql} AS ${name}`,
  );
  return { grain: Object.keys(grain), columns };
}
