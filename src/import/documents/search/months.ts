/** The months of search queries, for both Search Query Performance documents. */
import { dayNumber, isoDate, monthOfDay } from '../../../calendar/period.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';

/** The table of facts of search queries. */
export const searchQueryFacts = 'search_query';

/** Takes a row in the fields of its dataset. The document then covers its product. */
export function takeSearchQuery(
  session: ImportSession,
  line: number,
  fields: Readonly<Record<string, unknown>>,
): void {
  const rows = session.rows('searchQueries');
  const before = rows.rowsAccepted;
  rows.object(fields, line);
  if (rows.rowsAccepted > before) session.coverPartition(searchQueryFacts, String(fields.asin));
}

/** Covers the month, even for products that have no rows left. */
export function coverMonth(session: ImportSession, month: string | undefined): void {
  if (month === undefined || session.rows('searchQueries').rowsAccepted === 0) return;
  const first = dayNumber(`${month}-01`);
  session.coverDays(searchQueryFacts, { first, last: first });
}

/** Refuses a document whose periods are not months. */
export function requireMonths(period: unknown): void {
  if (typeof period === 'string' && /^month(?:ly)?$/i.test(period)) return;
  const given =
    typeof period === 'string' && period !== ''
      ? `is by ${period.toLowerCase().replace(/ly$/, '')}`
      : 'does not name its period';
  throw new DocumentRefused(
    `the document ${given}, but search queries are kept by month, and weeks and quarters do not add up to months: request the same by month`,
  );
}

/** The month with these first and last days; undefined if they are not the ends of a month. */
export function monthOfDays(
  first: number | undefined,
  last: number | undefined,
): string | undefined {
  return first === undefined || last === undefined || monthOfDay(last).firstDay !== first
    ? undefined
    : monthEndingOn(last);
}

/** The month that ends on that day. */
export function monthEndingOn(day: number): string | undefined {
  return monthOfDay(day).lastDay === day ? isoDate(day).slice(0, 7) : undefined;
}
