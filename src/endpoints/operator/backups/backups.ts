import { randomUUID } from 'node:crypto';
import { change, readOne } from '../../../access/records.ts';
import { exportChannel } from '../../../backup/export.ts';
import { createBackup as backupOf } from '../../../backup/write.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Makes a backup. */
export const createBackup: Handler<typeof contracts.createBackup> = async (_, context) => {
  const { registry, warehouse, files, now, config, usage, refusedAttempts } = context;
  const backupId = randomUUID();
  await Promise.all([usage.write(), refusedAttempts.write()]);
  await change(context, (_transaction, audit) =>
    audit({ action: 'createBackup', subject: backupId, detail: {} }),
  );
  return begun(backupOf(backupId, { registry, warehouse, files, now, key: config.secret }));
};

/** Exports the facts of a channel. */
export const exportFacts: Handler<typeof contracts.exportFacts> = async (
  { channelId },
  context,
) => {
  const channel = await readOne(context.registry.records, 'channel', { channelId });
  return begun(exportChannel(context.warehouse, channel));
};

/**
 * The bytes, once the first have arrived: a failure before that can still be answered as an error.
 * A client that leaves before it has read any bytes also ends the work.
 */
async function begun(bytes: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  let first: IteratorResult<Uint8Array> | undefined = await bytes.next();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = first ?? (await bytes.next());
        first = undefined;
        return next;
      },
      return: () => bytes.return(undefined),
    }),
  };
}
