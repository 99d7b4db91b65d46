/** The days and dates of each table that an import covers. */
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate, localDay } from '../calendar/period.ts';
import type { Coverage, DateRange } from '../engine/warehouse.ts';
import type { DocumentCoverage } from './coverage.ts';
import { removedBeside } from './grains.ts';
import type { ImportRequest } from './request.ts';

/**
 * The coverage of each table of dated rows: the import's date range, or else the days of the rows.
 * A document that has rows for only one table of a dataset, such as the whole store, leaves the
 * other table unchanged. A document without rows covers all tables.
 */
export function coverageOf(
  { dateRange, replaces = false }: ImportRequest,
  { days, partitions, instants }: DocumentCoverage,
  tables: readonly string[],
): Record<string, Coverage> {
  const dated = tables.filter((table) => factTable(table).replacement === 'byDay');
  const covered = Object.keys(days).length > 0 ? Object.keys(days) : dateRange ? dated : [];
  return Object.fromEntries(
    covered.map((table) => {
      // The date range is in dates of the channel's zone; rows with an instant have UTC days.
      const isOfDates = factTable(table).instant === undefined;
      const own: Coverage = {
        ...((isOfDates ? dateRange : undefined) ?? days[table]!),
        ...(partitions[table] && { parts: partitions[table] }),
        ...(instants[table] && { instants: instants[table] }),
      };
      const removed = removedBeside(table, own, replaces);
      return [table, removed === undefined ? own : { ...own, removed }];
    }),
  );
}

/** The dates of each table that an import covers; for instants, in the channel's zone. */
export function datesOf(
  { dateRange, channel }: ImportRequest,
  { times }: DocumentCoverage,
  coverage: Readonly<Record<string, Coverage>>,
): Record<string, DateRange> {
  const zone = channel?.timezone ?? 'UTC';
  return Object.fromEntries(
    Object.entries(coverage).map(([table, { first, last }]) => {
      const time = times[table];
      const own = time
        ? { first: localDay(zone, time.from), last: localDay(zone, time.to) }
        : { first, last };
      return [table, dateRange ?? own];
    }),
  );
}

/** The dates of a table that an import covers, in its record. */
export type CoveredDates = {
  readonly from: string;
  readonly to: string;
  /** The covered values of the table's partition; if they are missing, it covers all of them. */
  readonly partitions?: readonly string[];
};

/**
 * If a table has more partitions, such as products, they are not recorded: all count as covered.
 */
const partitionsMax = 50;

/** The covered dates of each table, as the record of an import stores them. */
export function coverageText(
  dates: Readonly<Record<string, DateRange>>,
  coverage: Readonly<Record<string, Coverage>>,
): string {
  const covered = Object.entries(dates).map(([table, { first, last }]): [string, CoveredDates] => {
    const partitions = coverage[table]?.parts ?? [];
    const areFew = partitions.length > 0 && partitions.length <= partitionsMax;
    const range = { from: isoDate(first), to: isoDate(last) };
    return [table, { ...range, ...(areFew && { partitions }) }];
  });
  return JSON.stringify(Object.fromEntries(covered));
}
