/** The days of each table that an import covers. */
import { factTable } from '../../schema/warehouse/tables.ts';
import type { Coverage } from '../engine/warehouse.ts';
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
  { days, partitions, instants, superseded }: DocumentCoverage,
  tables: readonly string[],
): Record<string, Coverage> {
  const dated = tables.filter((table) => factTable(table).replacement === 'byDay');
  const covered = Object.keys(days).length > 0 ? Object.keys(days) : dateRange ? dated : [];
  return Object.fromEntries(
    covered.map((table) => {
      const own: Coverage = {
        ...(dateRange ?? days[table]!),
        ...(partitions[table] && { parts: partitions[table] }),
        ...(instants[table] && { instants: instants[table] }),
      };
      const removed = removedBeside(table, own, superseded[table] ?? [], replaces);
      return [table, removed === undefined ? own : { ...own, removed }];
    }),
  );
}
