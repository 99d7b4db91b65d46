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

/** The conditions of the events with the units that unit costs are multiplied by. */
const units = {
  units_sold: "line = 'sales'",
  units_returned: "line = 'refunds'",
  /** Of the units sold, those that the seller shipped. */
  units_sent: "line = 'sales' AND fulfillment = 'MFN'",
  /** Of the units sold, those of which the event does not say who shipped them. */
  units_unassigned: "line = 'sales' AND fulfillment = ''",
} as const;

/** The columns of the numbers of units. */
export const unitColumns = Object.keys(units) as readonly (keyof typeof units)[];

/** The figures that an event has by itself, each with the SQL of its amount. */
const ofEvent: Readonly<Partial<Record<ProfitColumn, string>>> = {
  ...Object.fromEntries(
    Object.entries(profitLines).map(([line, column]) => [column, amountIf(line, 'amount')]),
  ),
  // Tax of shipping, gift wrap and promotions counts with sales. The operator's own rows of other
  // lines have theirs in the amount.
  sales_tax: `CASE WHEN line = 'sales'
    OR (line IN ('otherIncome', 'promotions') AND source <> 'rows')
    THEN tax ELSE amount(0) END`,
  refunds_tax: amountIf('refunds', 'tax'),
};

function amountIf(line: string, amount: string): string {
  return `CASE WHEN line = '${line}' THEN ${amount} ELSE amount(0) END`;
}

/** The columns of figures that need no unit cost. */
export const eventColumns = Object.keys(ofEvent) as readonly ProfitColumn[];

/** The columns of a grain, each with its SQL expression. */
type Grain = Readonly<Record<string, string>>;

/** Selects financial events with each figure and each number of units in a column of its own. */
function eventRows(grain: Grain, condition: string): string {
  const columns = {
    ...grain,
    event_sku: 'sku',
    currency: 'currency',
    ...ofEvent,
    ...Object.fromEntries(
      Object.entries(units).map(([column, of]) => [
        column,
        `CASE WHEN ${of} THEN quantity ELSE 0 END`,
      ]),
    ),
  };
  return `SELECT ${columnsOf(columns).join(', ')}
    FROM finance_event WHERE channel = {channel:Int32} AND ${condition}`;
}

/** The placeholders of `profit.sql` for sums of financial events by a grain. */
export type ProfitBody = {
  readonly grain: Grain;
  /** The column of the grain by whose date the unit costs are chosen. */
  readonly date: string;
  /** The condition on events that count. */
  readonly events: string;
  /** A condition on SKUs that all of these events meet. */
  readonly ofSkus?: string;
  /** Whether the events are few, so that they are read once and kept. */
  readonly areFew?: true;
};

/** The placeholders of `profit.sql`, which sums financial events by a grain. */
export function profitPlaces({ grain, date, events, ofSkus, areFew }: ProfitBody) {
  const names = Object.keys(grain);
  const rows = eventRows(grain, `${events} AND ${ofSkus ?? 'TRUE'}`);
  return {
    ...costPlaces(names, date),
    ofSkus: ofSkus ?? (areFew ? 'sku IN (SELECT event_sku FROM events)' : 'TRUE'),
    source: areFew ? `events AS (${rows}),` : '',
    rows: areFew ? 'SELECT * FROM events' : rows,
    columns: names,
    answer: names,
  };
}

/** The placeholders of `profit.sql`, which sums rows of `profit_product_day` by another grain. */
export function productDayPlaces(answer: Grain, ofDays: string, ofSkus: string) {
  const columns = ['day', 'sku', 'currency', ...eventColumns, ...unitColumns].join(', ');
  return {
    ...costPlaces(['day', 'sku'], 'day'),
    // Few rows, which are read once.
    source: `product_days AS (
      SELECT ${columns}, sku AS event_sku
      FROM profit_product_day WHERE channel = {channel:Int32} AND ${ofDays} AND ${ofSkus}
    ),`,
    ofSkus,
    rows: 'SELECT * FROM product_days',
    columns: columnsOf(answer),
    answer: Object.keys(answer),
  };
}

function costPlaces(grain: readonly string[], date: string) {
  const part = (amounts: Readonly<Partial<Record<ProfitColumn, string>>>) =>
    profitColumns.map((column) => `${amounts[column] ?? 'amount(0)'} AS ${column}`);
  const sumsOfEvents = Object.fromEntries(eventColumns.map((name) => [name, `sum(${name})`]));
  return {
    grain,
    date,
    ofEvents: part({ ...sumsOfEvents, cogs: 'amount(0)' }),
    ofGoods: part({ cogs: 'goods', cogs_returned: 'goods_returned' }),
    ofShipping: part({ shipping_fees: 'shipping' }),
    ofReportedGoods: part({ cogs: 'e.cogs' }),
    sums: sumsOf(profitColumns),
  };
}

/** The placeholders of the body that sums financial events by product and day. */
export function productDaySums(events: string) {
  return {
    grain: ['day', 'sku'],
    rows: eventRows({ day: 'day', sku: 'sku' }, events),
    sums: sumsOf([...eventColumns, ...unitColumns]),
  };
}

/** The placeholders of a body that sums a rollup: its grain and the sums of its figures. */
export function profitSumPlaces(grain: Grain) {
  return { grain: Object.keys(grain), columns: columnsOf(grain), sums: sumsOf(profitColumns) };
}

function columnsOf(columns: Grain): string[] {
  return Object.entries(columns).map(([name, sql]) => (sql === name ? name : `${sql} AS ${name}`));
}

function sumsOf(columns: readonly string[]): string[] {
  return columns.map((name) => `sum(${name}) AS ${name}`);
}
