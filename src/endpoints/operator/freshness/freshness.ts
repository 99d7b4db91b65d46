import { readOne, seconds } from '../../../access/records.ts';
import { isoDate } from '../../../calendar/period.ts';
import { datasets } from '../../../import/datasets/datasets.ts';
import { heldBack } from '../../../import/inventoryGuard.ts';
import { tablesOf } from '../../../import/tables.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { notesOf } from './notes.ts';

/** Reads how recent the facts of a channel are, by dataset. */
export const readFreshness: Handler<typeof contracts.readFreshness> = async (
  { channelId },
  context,
) => {
  const channel =
    channelId === undefined
      ? undefined
      : await readOne(context.registry.records, 'channel', { channelId });
  const { channelNumber, timezone = 'UTC' } = channel ?? {};
  const extents = await context.warehouse.extents(channelNumber ?? 0, timezone);
  const done = await finishedImports(context, channelNumber);
  const freshness = ['orders', ...Object.keys(datasets)].flatMap((dataset) => {
    // Orders fill the table of order lines too, but each dataset reports only its own tables.
    const tables = dataset === 'orders' ? ['order_record'] : tablesOf(dataset);
    const own = extents.filter((extent) => tables.includes(extent.table));
    if (own.length === 0) return [];
    const firsts = own.flatMap(({ firstDay }) => (firstDay === null ? [] : [firstDay]));
    const lasts = own.flatMap(({ lastDay }) => (lastDay === null ? [] : [lastDay]));
    const imports = done.filter((one) =>
      tablesOf(one.dataset).some((table) => tables.includes(table)),
    );
    const last = imports[0];
    return [
      {
        dataset,
        from: firsts.length > 0 ? isoDate(Math.min(...firsts)) : null,
        to: lasts.length > 0 ? isoDate(Math.max(...lasts)) : null,
        rows: own.reduce((sum, { rows }) => sum + rows, 0),
        rowsCoarse: imports.reduce((sum, { rowsCoarse }) => sum + rowsCoarse, 0),
        lastImport: last ? { ...last, finishedAt: seconds(last.finishedAt ?? 0) } : null,
      },
    ];
  });
  const held = channelNumber === undefined ? [] : await heldBack(context.registry, channelNumber);
  const notes = channel === undefined ? [] : await notesOf(channel, context);
  return { channelId: channelId ?? null, heldBack: held, notes, datasets: freshness };
};

/** The finished imports of a channel, or of no channel, the latest first. */
function finishedImports(
  { registry }: Pick<Context<'operator'>, 'registry'>,
  channelNumber: number | undefined,
) {
  return registry.records
    .selectFrom('import')
    .select(['importId', 'dataset', 'finishedAt', 'rowsAccepted', 'rowsCoarse'])
    .where('channelNumber', channelNumber === undefined ? 'is' : '=', channelNumber ?? null)
    .where('state', '=', 'done')
    .orderBy('importId', 'desc')
    .execute();
}
