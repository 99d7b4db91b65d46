/** The texts of imports that fail. */
import { RequestAbandoned, StoreUnavailable } from '../engine/errors.ts';
import type { Rejection } from './messages.ts';
import { ImportRefused } from './request.ts';

/** The number of rejected rows that the error of a refused document lists. */
const rejectionsInError = 5;

/** The error of a document with rejected rows, listing the first of them. */
export function rejectionError(start: string, count: number, shown: readonly Rejection[]): string {
  const rows = shown
    .slice(0, rejectionsInError)
    .map(({ line, reason }) => `line ${line} ${reason}`);
  return `${start}: ${rows.join('; ')}${count > rows.length ? '; …' : ''}`;
}

/** A number of rows as the beginning of a sentence. */
export function rowsWere(count: number): string {
  return count === 1 ? '1 row was' : `${count} rows were`;
}

/** The reason of a failure, for the operator's records. */
export function recordedError(error: unknown): string {
  if (error instanceof ImportRefused || error instanceof RequestAbandoned) return error.message;
  if (error instanceof StoreUnavailable) return 'a store was unavailable';
  return 'an internal error: see the log';
}
