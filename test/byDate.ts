/** Rows of facts in which days read as dates. */
import { isoDate } from '../src/calendar/period.ts';

/** The rows with the day in their first column as its date. */
export function byDate(rows: readonly (readonly unknown[])[]): unknown[][] {
  return rows.map(([day, ...values]) => [isoDate(day as number), ...values]);
}
