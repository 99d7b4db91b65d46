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

/** The columns of a grain, each with its SQL expression. */
type Grain = Readonly<Record<string, string>>;

/** The rows that `profit.sql` sums. */
export type ProfitRows = {
  readonly grain: readonly string[];
  /** The columns of the answer and their SQL, if it has another grain than the rows. */
  readonly answer?: Grain;
  /** Whether the rows are few, so that they are read once and kept. */
  readonly areFew?: true;
};

/** The places of `profit.sql`, but for its parts `figures` (the rows) and `eventSkus`. */
export function profitPlaces({ grain, answer, areFew }: ProfitRows) {
  return {
    ...sumPlaces(),
    grain,
    rows: areFew ? 'events' : '({figures})',
    kept: areFew ? 'events AS ({figures}),' : '',
    ofSkus: areFew ? 'sku IN ({eventSkus})' : 'TRUE',
    columns: answer ? columnsOf(answer) : grain,
    answer: answer ? Object.keys(answer) : grain,
  };
}

/** The lists of sums of `profit.sql`: of events, of unit costs and of all of them. */
function sumPlaces() {
  const part = (amounts: Readonly<Partial<Record<ProfitColumn, string>>>) =>
    profitColumns.map((column) => `${amounts[column] ?? 'amount(0)'} AS ${column}`);
  const sumsOfEvents = Object.fromEntries(eventColumns.map((name) => [name, `sum(${name})`]));
  return {
    ofEvents: part({ ...sumsOfEvents, cogs: 'amount(0)' }),
    ofGoods: part({ cogs: 'goods', cogs_returned: 'goods_returned' }),
    ofShipping: part({ shipping_fees: 'shipping' }),
    ofReportedGoods: part({ cogs: 'e.cogs' }),
    sums: sumsOf(profitColumns),
  };
}

function columnsOf(columns: Grain): string[] {
  return Object.entries(columns).map(([name, sql]) => (sql === name ? name : `${sql} AS ${name}`));
}

/** The SQL that sums columns. */
export function sumsOf(columns: readonly string[]): string[] {
  return columns.map((name) => `sum(${name}) AS ${name}`);
}
