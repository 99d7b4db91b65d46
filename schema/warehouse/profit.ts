/** The figures of the profit and loss, and the grains that `profit.sql` adds them up by. */

/** The lines that financial events are booked on, each with the column that adds it up. */
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

/** Figures that a request may add to a line, each with the column that adds it up. */
export const profitExtras = {
  salesTax: { line: 'sales', column: 'sales_tax' },
  refundsTax: { line: 'refunds', column: 'refunds_tax' },
  /** The cost of the units returned. */
  cogsReturned: { line: 'cogs', column: 'cogs_returned' },
} as const satisfies Record<string, { line: ProfitLine; column: string }>;

type Extras = typeof profitExtras;

/** A column that adds up a figure of the profit and loss. */
export type ProfitColumn = (typeof profitLines)[ProfitLine] | Extras[keyof Extras]['column'];

const figures: readonly (readonly [figure: string, column: ProfitColumn])[] = [
  ...Object.entries(profitLines),
  ...Object.entries(profitExtras).map(([figure, { column }]) => [figure, column] as const),
];

/** Every column of the profit and loss. Credits are positive, debits and costs negative. */
export const profitColumns: readonly ProfitColumn[] = figures.map(([, column]) => column);

/** The columns of a grain, each with how it is computed. */
type Grain = Readonly<Record<string, string>>;

/** What fills the places of `profit.sql`. */
export type ProfitBody = {
  readonly grain: Grain;
  /** The column of the grain whose date says which unit costs hold. */
  readonly date: string;
  /** The condition on events that count. */
  readonly events: string;
};

/** The places of `profit.sql`, which adds financial events up by a grain. */
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

/** The places of a body that adds up a rollup: its grain, and the sums of its figures. */
export function profitSumPlaces(grain: Grain) {
  return { ...grainPlaces(grain), sums: profitColumns.map((name) => `sum(${name}) AS ${name}`) };
}

function grainPlaces(grain: Grain) {
  const columns = Object.entries(grain).map(([name, sql]) =>
    sql === name ? name : `${sql} AS ${name}`,
  );
  return { grain: Object.keys(grain), columns };
}
