/** Helpers for the JSON reports of the Selling Partner API and the Data Kiosk. */
import { dayAt, part } from '../cells/json.ts';
import { DocumentRefused } from '../refused.ts';
import type { ImportSession } from '../session.ts';

/** Whether a value is a report of that type. */
export function isReport(value: unknown, reportType: string): boolean {
  return part(value, 'reportSpecification', 'reportType') === reportType;
}

/** Refuses a document that is not a report of that type. */
export function requireReport(value: unknown, reportType: string): void {
  if (!isReport(value, reportType))
    throw new DocumentRefused(`the document is not a ${reportType}`);
}

/** The dates of a whole report. */
export function reportDates(report: unknown): {
  readonly first: number | undefined;
  readonly last: number | undefined;
} {
  const specification = part(report, 'reportSpecification');
  return {
    first: dayAt(specification, 'dataStartTime'),
    last: dayAt(specification, 'dataEndTime'),
  };
}

/** The currency of several amounts; "" if none names one, undefined if they differ. */
export function currencyOf(amounts: readonly unknown[]): unknown {
  const codes = new Set(amounts.flatMap((one) => part(one, 'currencyCode') ?? []));
  return codes.size > 1 ? undefined : ([...codes][0] ?? '');
}

/** The first and last day of a row, as day numbers. */
export type Period = { readonly first: number; readonly last: number };

/** The period of a row, from startDate to endDate. Rejects rows without a period. */
export function periodOf(
  row: unknown,
  line: number,
  session: ImportSession,
  name = '',
): Period | undefined {
  const [first, last] = [dayAt(row, 'startDate'), dayAt(row, 'endDate')];
  if (first !== undefined && last !== undefined && last >= first) return { first, last };
  const where = name === '' ? '' : `${name}: `;
  session.reject(line, `${where}startDate and endDate must be dates (YYYY-MM-DD) in order`);
  return undefined;
}

/** Rejects a row that lacks figures, given by the names of their fields: they would count as 0. */
export function hasFigures(
  figures: Readonly<Record<string, unknown>>,
  line: number,
  session: ImportSession,
): boolean {
  const missing = Object.keys(figures).filter((name) => figures[name] === undefined);
  if (missing.length > 0)
    session.reject(line, `lacks ${missing.join(', ')}: request the document with these fields`);
  return missing.length === 0;
}
