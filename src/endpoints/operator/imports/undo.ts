import { facts } from '../../../../schema/warehouse/tables.ts';
import { change, readOne } from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { Handler } from '../../handler.ts';
import { removeFacts, rowsOfImport } from '../removal.ts';
import type * as contracts from './contract.ts';

/** Removes the facts of an import that nothing has replaced since. */
export const undoImport: Handler<typeof contracts.undoImport> = async (
  { importId, dryRun },
  context,
) => {
  const { records } = context.registry;
  const { state, channelNumber } = await readOne(records, 'import', { importId });
  if (state === 'running') throw new Refusal(409, 'the import is still running');
  const channel =
    channelNumber === null ? undefined : await readOne(records, 'channel', { channelNumber });
  const removed = facts.map((table) => rowsOfImport(table, importId));
  return removeFacts(context, { channel, removed, dryRun }, ({ rows, datasets }) =>
    change(context, async (transaction, audit) => {
      await transaction
        .updateTable('import')
        .set({ state: 'undone' })
        .where('importId', '=', importId)
        .where('state', '=', 'done')
        .execute();
      await audit({
        action: 'undoImport',
        subject: channel?.channelId ?? '',
        detail: { importId, rows, datasets: datasets.map(({ dataset }) => dataset) },
      });
    }),
  );
};
