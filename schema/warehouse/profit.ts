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

/** The columns of figures that need no unit cost: those of eventFigures.sql. */
export const eventColumns: readonly ProfitColumn[] = profitColumns.filter(
  (column) => column !== 'cogs_returned',
);

/** The columns of the numbers of units that unit costs are multiplied by. */
export const unitColumns = [
  'units_sold',
  'units_returned',
  'units_sent',
  'units_unassigned',
] as const;

/** The grain of rows, and the columns of the answer and their SQL if it has another. */
export type ProfitGrain = {
  readonly grain: readonly string[];
  readonly answer?: Readonly<Record<string, string>>;
};

/** The lists of `profit.sql` and `profitOfFew.sql`. */
export function profitLists({ grain, answer }: ProfitGrain) {
  return {
    ...sumLists(),
    grain,
    columns: answer ? columnsOf(answer) : grain,
    answer: answer ? Object.keys(answer) : grain,
  };
}

/** The lists of sums: of events, of unit costs and of all of them. */
function sumLists() {
  const part = (amounts: Readonly<Partial<Record<ProfitColumn, string>>>) =>
    profitColumns.map((column) => `${amounts[column] ?? 'amount(0)'} AS ${column}`);
  const ofEvents = Object.fromEntries(eventColumns.map((name) => [name, `sum(${name})`]));
  return {
    sumsOfEvents: part({ ...ofEvents, cogs: 'amount(0)' }),
    sumsOfGoods: part({ cogs: 'goods', cogs_returned: 'goods_returned' }),
    sumsOfShipping: part({ shipping_fees: 'shipping' }),
    sumsOfReportedGoods: part({ cogs: 'e.cogs' }),
    sums: sumsOf(profitColumns),
  };
}

function columnsOf(columns: Readonly<Record<string, string>>): string[] {
  return Object.entries(columns).map(([name, sql]) => (sql === name ? name : `${sql} AS ${name}`));
}

/** The SQL that sums columns. */
export function sumsOf(columns: readonly string[]): string[] {
  return columns.map((name) => `sum(${name}) AS ${name}`);
}
