/** The facts of one date of a dataset, by import. */
import { factTable } from '../../../schema/warehouse/tables.ts';
import type { Channel } from '../../access/channels.ts';
import {
  type DayNumber,
  endOfDay,
  isoDate,
  monthOfDay,
  startOfDay,
} from '../../calendar/period.ts';
import type { DatedDataset } from '../../contract/importable.ts';
import { type Question, questionFile } from '../../engine/question.ts';
import type { Ask, DateRange, Row } from '../../engine/warehouse.ts';
import { exactText } from '../../figures/money.ts';
import { markerCode } from '../../import/ledger/existing.ts';
import { tablesOf } from '../../import/tables.ts';

/** The facts of a date from one import, as the answer lists them. */
export type FactsOfImport = {
  readonly table: string;
  readonly partition: string | null;
  readonly importId: number;
  rows: number;
  rowsCoarse: number;
  since: string | null;
  readonly sums: {
    readonly currency: string | null;
    readonly figures: Readonly<Record<string, string>>;
  }[];
};

/** A date of a channel: its day, and its first and last instant. */
export type ChannelDate = {
  readonly day: DayNumber;
  /** Undefined for a day that the zone skipped. */
  readonly instants: { readonly from: number; readonly to: number } | undefined;
};

/** The date of a channel. */
export function channelDate({ timezone }: Channel, day: DayNumber): ChannelDate {
  const from = startOfDay(timezone, day);
  const to = endOfDay(timezone, day);
  return { day, instants: from === undefined || to === undefined ? undefined : { from, to } };
}

/** The tables whose facts are monthly, stored under the first day of the month. */
const monthTables: readonly string[] = ['target_month', 'search_query'];

/** The days under which a table stores the facts of a date. */
export function daysOf(table: string, day: DayNumber): DateRange {
  if (!monthTables.includes(table)) return { first: day, last: day };
  const { firstDay, lastDay } = monthOfDay(day);
  return { first: firstDay, last: lastDay };
}

/** The leading figures of tables: the columns that add up, by their names in the dataset. */
const adFigures = { impressions: 'impressions', clicks: 'clicks', cost: 'cost', sales: 'sales' };
const trafficFigures = {
  orderedRevenue: 'revenue',
  orderedUnits: 'units',
  pageViews: 'page_views',
  sessions: 'sessions',
};
const vendorFigures = {
  orderedRevenue: 'ordered_revenue',
  orderedUnits: 'ordered_units',
  shippedRevenue: 'shipped_revenue',
  glanceViews: 'glance_views',
};
const targetFigures = {
  salesBudget: 'sales_budget',
  salesForecast: 'sales_forecast',
  adSpendBudget: 'ad_spend_budget',
};
const figuresOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  order_line: { quantity: 'quantity', itemPrice: 'item_price', itemTax: 'item_tax' },
  traffic: trafficFigures,
  traffic_total: trafficFigures,
  campaign_day: adFigures,
  ad_group_day: adFigures,
  keyword_day: adFigures,
  ad_product_day: adFigures,
  vendor_sale: vendorFigures,
  vendor_total: vendorFigures,
  target_month: targetFigures,
  target_day: targetFigures,
  search_query: { impressions: 'impressions', clicks: 'clicks', purchases: 'purchases' },
  finance_event: { amount: 'amount', tax: 'tax' },
  inventory: { available: 'available', reserved: 'reserved', inbound: 'inbound' },
};
/** The condition on rows that count in the sums of a table; without one, all count. */
const counted: Readonly<Record<string, string>> = { order_line: "status <> 'Canceled'" };
/** Figures of a product that several of its rows repeat. */
const repeated: readonly string[] = ['page_views', 'sessions'];

/** The columns about rows of several days. */
const spans = [
  'CAST(count(*) FILTER (WHERE since < day) AS BIGINT) AS coarse',
  'min(since) AS first_day',
];

type Source = {
  readonly table: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly question: Question<Row>;
};

const sources = new Map<string, Source>();

/** The question about the facts of a date in a table. */
function sourceOf(table: string): Source {
  let source = sources.get(table);
  if (source === undefined) {
    const { columns, instant, partition } = factTable(table);
    const figures = figuresOf[table] ?? {};
    const grain = [
      ...(partition === undefined ? [] : [partition]),
      'import_id',
      ...('currency' in columns ? ['currency'] : []),
    ];
    const sums = Object.values(figures).map((column) => `${sumOf(table, column)} AS ${column}_sum`);
    const question = questionFile<Row>(import.meta.url, fileOf(table), {
      table,
      grain,
      columns: [...grain, ...('since' in columns ? spans : []), ...sums],
      ...(instant !== undefined && { instant }),
    });
    source = { table, figures, question: { ...question, name: `facts of a date in ${table}` } };
    sources.set(table, source);
  }
  return source;
}

function fileOf(table: string): string {
  if (table === 'finance_event') return 'eventsOfInstants.sql';
  return factTable(table).instant === undefined ? 'factsOfDay.sql' : 'factsOfInstants.sql';
}

function sumOf(table: string, column: string): string {
  const { columns, repeats } = factTable(table);
  const isRepeated = repeats !== undefined && repeated.includes(column);
  const condition = isRepeated ? `${repeats.column} = 0` : counted[table];
  const isAmount = columns[column] === 'Amount';
  const value =
    condition === undefined
      ? column
      : `CASE WHEN ${condition} THEN ${column} ELSE ${isAmount ? 'amount(0)' : '0'} END`;
  return isAmount ? `sum(${value})` : `CAST(sum(${value}) AS BIGINT)`;
}

/** Reads the facts of a date, by table, partition and import. */
export async function readFacts(
  ask: Ask,
  dataset: DatedDataset,
  channel: Channel,
  date: ChannelDate,
): Promise<FactsOfImport[]> {
  const found: FactsOfImport[] = [];
  for (const table of tablesOf(dataset)) {
    const parameters = parametersOf(table, channel, date);
    if (parameters === undefined) continue;
    const source = sourceOf(table);
    const ofTable = new Map<string, FactsOfImport>();
    for (const row of await ask(source.question, { ...parameters, marker: markerCode }))
      addRow(ofTable, source, row);
    found.push(...[...ofTable.values()].sort(byPartition));
  }
  return found;
}

/** The parameters of questions about the rows of a date; undefined if the date has no instant. */
export function parametersOf(
  table: string,
  { channelNumber: channel }: Channel,
  { day, instants }: ChannelDate,
) {
  if (factTable(table).instant === undefined) return { channel, ...daysOf(table, day) };
  // A local day lies within three UTC days.
  return instants && { channel, first: day - 1, last: day + 1, ...instants };
}

function addRow(found: Map<string, FactsOfImport>, { table, figures }: Source, row: Row): void {
  const { partition: column } = factTable(table);
  const partition = column === undefined ? null : (row[column] as string);
  const importId = row.import_id as number;
  const currency = (row.currency as string | undefined) || null;
  const known = found.get(`${importId} ${partition}`);
  const facts = known ?? {
    table,
    partition,
    importId,
    rows: 0,
    rowsCoarse: 0,
    since: null,
    sums: [],
  };
  found.set(`${importId} ${partition}`, facts);
  facts.rows += row.found as number;
  const coarse = (row.coarse as number | undefined) ?? 0;
  if (coarse > 0) {
    const since = isoDate(row.first_day as number);
    facts.since = facts.since === null || since < facts.since ? since : facts.since;
    facts.rowsCoarse += coarse;
  }
  const entries = Object.entries(figures).map(([name, of]): [string, string] => {
    const value = row[`${of}_sum`] as number | bigint;
    return [name, typeof value === 'bigint' ? exactText(value, currency ?? '') : String(value)];
  });
  if (entries.length > 0) facts.sums.push({ currency, figures: Object.fromEntries(entries) });
}

function byPartition(one: FactsOfImport, other: FactsOfImport): number {
  const [first, second] = [one.partition ?? '', other.partition ?? ''];
  return first === second ? one.importId - other.importId : first < second ? -1 : 1;
}
