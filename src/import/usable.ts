/** Refuses documents that an import has read but that must not change the facts. */
import type { Registry } from '../engine/registry.ts';
import { rejectionError, rowsWere } from './failures.ts';
import { reasonToHoldBack } from './inventoryGuard.ts';
import type { Rejection } from './messages.ts';
import {
  type ImportAnswer,
  ImportRefused,
  type ImportRequest,
  NothingImported,
} from './request.ts';

/** The numbers and dates of an import. */
export type Counts = Omit<
  ImportAnswer,
  'importId' | 'rejected' | 'rowsOlder' | 'from' | 'to' | 'finance'
> & {
  readonly firstDate: string | null;
  readonly lastDate: string | null;
};

/** An import that has read its document. */
export type ReadImport = {
  readonly importId: number;
  readonly registry: Registry;
  readonly request: ImportRequest;
  /** The first rejected rows. */
  readonly rejected: Rejection[];
};

/**
 * Refuses a document that has no rows, more rejected rows than the request allows, or far fewer
 * rows than an earlier snapshot.
 */
export async function requireUsable(
  { importId, registry, request, rejected }: ReadImport,
  { firstDate, lastDate, ...counts }: Counts,
): Promise<void> {
  const { abortOnRejection, dateRange, channel, confirmsFewRows = false } = request;
  const { rowsRejected } = counts;
  if (counts.rowsRead === 0 && !dateRange)
    throw new ImportRefused(importId, 'the document has no rows');
  const reasonOf = (start: string) => rejectionError(start, rowsRejected, rejected);
  if (rowsRejected > 0 && abortOnRejection) {
    const start = `${rowsWere(rowsRejected)} rejected, so the whole document was refused`;
    throw new ImportRefused(importId, reasonOf(start), rejected);
  }
  // Such a document must not clear the dates that it was to cover, either.
  if (rowsRejected > 0 && counts.rowsAccepted === 0)
    throw new NothingImported(
      reasonOf(`nothing was imported, because ${rowsWere(rowsRejected)} rejected`),
      { ...counts, importId, rejected, from: firstDate, to: lastDate, rowsOlder: 0 },
    );
  if (channel === undefined || confirmsFewRows) return;
  const { channelNumber } = channel;
  const report = { ...counts, importId, lastDate, channelNumber };
  const reason = await reasonToHoldBack(registry, report);
  if (reason !== undefined) throw new ImportRefused(importId, reason);
}
