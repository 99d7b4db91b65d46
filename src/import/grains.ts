/**
 * Prevents multi-day facts and single-day facts from counting twice: an import may not overlap
 * existing facts of the same kind in another grain.
 */

import { facts, factTable } from '../../schema/warehouse/tables.ts';
import { findOne } from '../access/records.ts';
import { dayNumber, isoDate } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { Registry } from '../engine/registry.ts';
import type { Coverage, DateRange, Row, Warehouse } from '../engine/warehouse.ts';
import type { DocumentCoverage } from './coverage.ts';
import { fits, type Overlap, overlap, rangeText } from './spans.ts';

const limits = { deadlineMilliseconds: 60_000 };

/**
 * The questions for existing rows on some dates, for each table whose multi-day rows share periods.
 */
const questions = new Map(
  facts
    .filter(({ columns, spansByRow }) => 'since' in columns && !spansByRow)
    .map(({ name, partition }) => [
      name,
      questionFile<Row>(import.meta.url, 'grains.sql', {
        table: name,
        partition: [partition ?? "''"],
      }),
    ]),
);

const economicsPeriods = questionFile<Row>(import.meta.url, 'economicsPeriods.sql');
/** The maximum length of a period of economics, in days. */
const economicsDaysMax = 370;

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
    const range = { table, first, last, parts, withDays };
    for (const fact of await existingFacts(warehouse, channel, range))
      if (!fits(fact, ofTable[fact.part], { first, last })) overlaps.push(fact);
  }
  return [...overlaps, ...(await overlappingEconomics(warehouse, channel, grains, dates))];
}

/**
 * The existing facts of a table that overlap these days; without `withDays`, only multi-day ones.
 */
export async function existingFacts(
  warehouse: Warehouse,
  channel: number,
  {
    table,
    withDays,
    ...range
  }: DateRange & {
    readonly table: string;
    readonly parts: readonly string[];
    readonly withDays: boolean;
  },
): Promise<Overlap[]> {
  const parameters = { channel, ...range, withDays: withDays ? 1 : 0 };
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
    .filter((one) => overlap(one, covered) && !fits(one, grain, covered));
}

/**
 * The coverage after removing overlapped economics, for which it names instants instead of days.
 */
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

/**
 * Further existing rows that a document removes: if it replaces other grains, rows that end after
 * its days but begin earlier.
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
export async function overlapText({ records }: Registry, fact: Overlap): Promise<string> {
  const { importId } = fact;
  const found = await findOne(records, 'import', { importId });
  const grain = fact.first === fact.last ? 'of single days' : 'of several days';
  const document = found
    ? `${found.dataset} (import ${importId}, ${found.firstDate} to ${found.lastDate})`
    : 'another document';
  return `the dates overlap the facts ${grain} of ${document} on ${rangeText(fact)}, so they would count twice: pass replace=true to remove those facts, or import other dates`;
}
