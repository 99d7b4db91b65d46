/** The extents of tables: how both engines find them, and their dates. */
import { type FactTable, facts } from '../../schema/warehouse/tables.ts';
import { localDay } from '../calendar/period.ts';
import type { Row, TableExtent } from './warehouse.ts';

/** The column that determines the extent of a table: its instant if it has one, else its day. */
export function extentColumn({ instant, day }: FactTable): string | null {
  return instant ?? day;
}

/**
 * The extents of the tables in these rows, in the order of tables: the first and last day number or
 * instant of each, and its number of rows. The time zone determines the dates of instants.
 */
export function extentsOf(rows: readonly Row[], timezone: string): TableExtent[] {
  return facts.flatMap(({ name, instant }) => {
    const row = rows.find((one) => one.fact === name);
    if (row === undefined) return [];
    const dayOf = (time: unknown) =>
      instant === undefined || time === null
        ? (time as number | null)
        : localDay(timezone, time as number);
    return [
      {
        table: name,
        firstDay: dayOf(row.first),
        lastDay: dayOf(row.last),
        rows: row.row_count as number,
      },
    ];
  });
}
