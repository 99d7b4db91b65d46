/** The end of an import: recorded and announced to webhooks in one step. */

import type { Selectable } from 'kysely';
import type { Channel } from '../access/channels.ts';
import { findOne } from '../access/records.ts';
import type { ImportRecord } from '../engine/registry.ts';
import { silentAnnouncer } from '../webhooks/announce.ts';
import { type ImportContext, ImportRefused } from './request.ts';

/** An import that ends, with its channel, if it has one. */
export type Ending = {
  readonly importId: number;
  readonly channel: Channel | undefined;
  readonly change: Partial<Omit<ImportRecord, 'importId'>> & { readonly state: 'done' | 'failed' };
  /** Why it failed. */
  readonly cause?: unknown;
};

/** Records how an import ended, and announces it once. */
export async function recordEnd(
  { registry, announcer = silentAnnouncer }: Pick<ImportContext, 'registry' | 'announcer'>,
  { importId, channel, change, cause }: Ending,
): Promise<void> {
  const announced = await registry.records.transaction().execute(async (transaction) => {
    const before = await findOne(transaction, 'import', { importId });
    const ended = await transaction
      .updateTable('import')
      .set(change)
      .where('importId', '=', importId)
      .returningAll()
      .executeTakeFirst();
    if (before?.state !== 'running' || ended === undefined || channel === undefined) return [];
    const event = change.state === 'done' ? 'import.finished' : 'import.refused';
    const data = { ...dataOf(ended), ...(change.state === 'failed' && { error: errorOf(cause) }) };
    return announcer.announce(transaction, { event, channel, data });
  });
  if (announced.length > 0) announcer.wake();
}

function dataOf(record: Selectable<ImportRecord>) {
  const { importId, dataset, rowsRead, rowsAccepted, rowsRejected, firstDate, lastDate } = record;
  const rows = { rowsRead, rowsAccepted, rowsRejected };
  return { importId, dataset, ...rows, from: firstDate, to: lastDate };
}

/** The reason in a form that customers may read. */
function errorOf(cause: unknown): string {
  return cause instanceof ImportRefused
    ? cause.publicReason
    : 'the import failed: the operator of the service can see why';
}
