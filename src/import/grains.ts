/**
 * Keeps facts of several days and facts of single days from counting twice: an import may not
 * overlap existing facts of the same kind in another grain.
 */
import { facts, factTable } from '../../schema/warehouse/tables.ts';
import { dayNumber, isoDate } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { Registry } from '../engine/registry.ts';
import type { Coverage, DateRange, Row, Warehouse } from '../engine/warehouse.ts';
import type { DocumentCoverage, Grain } from './coverage.ts';

const limits = { deadlineMilliseconds: 60_000 };
const noRows: Grain = { days: new Set(), spans: new Map(), keys: new Map() };

/** For each table whose multi-day rows share their periods, the question for existing rows in some dates. */
const questions = new Map(
  facts
    .filter(({ columns, spansByRow }) => 'since' in columns && !spansByRow)
    .map(({ name, partition = "''" }) => [
      name,
      questionFile<Row>(import.meta.url, 'grains.sql', { table: name, partition }),
    ]),
);

const economicsPeriods = questionFile<Row>(import.meta.url, 'economicsPeriods.sql');
/** A period of economics is at most so long. */
const economicsDaysMax = 370;

/** An existing fact in another grain than the document's rows on its days. */
export type Overlap = DateRange & {
  readonly table: string;
  /** Its partition; "" in tables without any. */
  readonly part: string;
  readonly importId: number;
};

/** The multi-day rows of a document that overlap other rows of it, as text; undefined if none. */
export function ownOverlap(grains: DocumentCoverage['grains']): string | undefined {
  const shared = Object.entries(grains).filter(([table]) => !factTable(table).spansByRow);
  for (const { days, spans } of shared.flatMap(([, parts]) => Object.values(parts))) {
    const sorted = [...spans.values()].sort((one, other) => one.first - other.first);
    for (const [at, span] of sorted.entries()) {
      const next = sorted[at + 1];
      if (next && next.first <= span.last) return `${rangeText(span)} and ${rangeText(next)}`;
      const day = [...days].find((one) => isWithin(one, span));
      if (day !== undefined) return `${rangeText(span)} and ${isoDate(day)}`;
    }
  }
  return undefined;
}

/** The existing facts that a document's rows overlap in another grain, in the order of dates. */
export async function overlapsOf(
  warehouse: Warehouse,
  channel: number,
  grains: DocumentCoverage['grains'],
  coverage: Readonly<Record<string, Coverage>>,
  dates: Readonly<Record<string, DateRange>>,
): Promise<Overlap[]> {
  const overlaps: Overlap[] = [];
  for (const [table, { first, last, parts = [] }] of Object.entries(coverage)) {
    if (!questions.has(table)) continue;
    const ofTable = grains[table] ?? {};
    const withDays = Object.values(ofTable).some(({ spans }) => spans.size > 0);
    const asked = { table, first, last, parts, withDays };
    for (const fact of await existingFacts(warehouse, channel, asked))
      if (!fits(fact, ofTable[fact.part] ?? noRows, { first, last })) overlaps.push(fact);
  }
  return [...overlaps, ...(await overlappingEconomics(warehouse, channel, grains, dates))];
}

/** The existing facts of a table that overlap these days; without `withDays` only multi-day ones. */
export async function existingFacts(
  warehouse: Warehouse,
  channel: number,
  {
    table,
    withDays,
    ...asked
  }: DateRange & {
    readonly table: string;
    readonly parts: readonly string[];
    readonly withDays: boolean;
  },
): Promise<Overlap[]> {
  const parameters = { channel, ...asked, withDays: withDays ? 1 : 0 };
  const rows = await warehouse.ask(questions.get(table)!, parameters, limits);
  return rows.map((row) => ({
    table,
    part: row.part as string,
    first: row.since as number,
    last: row.day as number,
    importId: row.import_id as number,
  }));
}

async function overlappingEconomics(
  warehouse: Warehouse,
  channel: number,
  grains: DocumentCoverage['grains'],
  dates: Readonly<Record<string, DateRange>>,
): Promise<Overlap[]> {
  const [table, grain, covered] = [
    'finance_event',
    grains.finance_event?.economics,
    dates.finance_event,
  ];
  if (grain === undefined || covered === undefined) return [];
  // An event lies on the last day of its period, in the channel's zone.
  const days = { first: covered.first - 1, last: covered.last + economicsDaysMax };
  const rows = await warehouse.ask(economicsPeriods, { channel, ...days }, limits);
  return rows
    .map((row) => ({
      table,
      part: 'economics',
      first: dayNumber(row.since as string),
      last: dayNumber(row.until as string),
      importId: row.import_id as number,
    }))
    .filter(
      (one) => one.first <= covered.last && one.last >= covered.first && !fits(one, grain, covered),
    );
}

/** The coverage with overlapped economics removed, whose coverage names instants instead of days. */
export function withoutEconomics(
  coverage: Readonly<Record<string, Coverage>>,
  overlaps: readonly Overlap[],
): Readonly<Record<string, Coverage>> {
  const own = coverage.finance_event;
  const periods = overlaps
    .filter(({ table }) => table === 'finance_event')
    .map(({ first, last }) => `${isoDate(first)}:${isoDate(last)}`);
  if (own === undefined || periods.length === 0) return coverage;
  const condition =
    "source = 'economics' AND in_list(substring(unit, 11, 21), {periods:Array(String)})";
  return {
    ...coverage,
    finance_event: { ...own, removed: { condition, parameters: { periods } } },
  };
}

/** Whether an existing fact has the grain of the rows that replace it. */
function fits(existing: DateRange, { days, spans }: Grain, covered: DateRange): boolean {
  const { first, last } = existing;
  if (first === last) {
    const isDaily = days.size > 0 || spans.size === 0;
    return isDaily && ![...spans.values()].some((span) => isWithin(first, span));
  }
  if (spans.has(`${first}-${last}`)) return true;
  const isInside = first >= covered.first && last <= covered.last;
  const isCrossed = [...spans.values()].some((span) => span.first <= last && span.last >= first);
  return isInside && days.size === 0 && !isCrossed;
}

/**
 * The existing rows that a document removes besides those of its days: if it replaces other grains,
 * those that end after its days but begin earlier.
 */
export function removedBeside(
  table: string,
  { last, parts = [] }: Coverage,
  replaces: boolean,
): Coverage['removed'] {
  if (!replaces || !questions.has(table)) return undefined;
  const { partition = "''" } = factTable(table);
  const condition = `day > {last:Date} AND since <= {last:Date}
    AND matches(${partition}, {parts:Array(String)})`;
  return { condition, parameters: { last, parts } };
}

/** Why a document that overlaps an existing fact is refused. */
export async function overlapText({ records }: Registry, overlap: Overlap): Promise<string> {
  const { importId } = overlap;
  const found = await records
    .selectFrom('import')
    .select(['dataset', 'firstDate', 'lastDate'])
    .where('importId', '=', importId)
    .executeTakeFirst();
  const grain = overlap.first === overlap.last ? 'of single days' : 'of several days';
  const document = found
    ? `${found.dataset} (import ${importId}, ${found.firstDate} to ${found.lastDate})`
    : 'another document';
  return `the dates overlap the facts ${grain} of ${document} on ${rangeText(overlap)}, so they would count twice: pass replace=true to remove those facts, or import other dates`;
}

/** A date range as text: one date, or the first and the last. */
export function rangeText({ first, last }: DateRange): string {
  return first === last ? isoDate(first) : `${isoDate(first)} to ${isoDate(last)}`;
}

function isWithin(day: number, { first, last }: DateRange): boolean {
  return day >= first && day <= last;
}
