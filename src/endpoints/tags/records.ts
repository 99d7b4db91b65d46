import { unreachableText } from '../../access/channels.ts';
import { Refusal } from '../../contract/refusal.ts';
import type { RecordsTransaction } from '../../engine/registry.ts';
import type { Handler } from '../handler.ts';
import { type changeChannelTags as contract, sharedPrefix, tagsMax } from './contract.ts';

/** Adds and removes tags; calls for one channel take turns, so each answers the tags after it. */
export const changeChannelTags: Handler<typeof contract> = (
  { addTags = [], removeTags = [] },
  { caller, channel, commit },
) =>
  commit(async (transaction) => {
    const { channelNumber, channelId, merchantId } = channel;
    await waitTurn(transaction, channelNumber);
    const seen = await transaction
      .selectFrom('channelTag')
      .select('tag')
      .where('channelNumber', '=', channelNumber)
      .where((tag) => tag.or([tag('userId', 'is', null), tag('userId', '=', caller.userId)]))
      .execute();
    const before = new Set(seen.map(({ tag }) => tag));
    const added = [...new Set(addTags)].filter((tag) => !before.has(tag));
    const removed = new Set(removeTags.filter((tag) => before.has(tag)));
    const after = [...before, ...added].filter((tag) => !removed.has(tag));
    // Tags that others share may take a user above the limit, who must still be able to remove
    // some.
    if (after.length > tagsMax && after.length > before.size) {
      throw new Refusal(
        400,
        `the channel would have ${after.length} tags and may have at most ${tagsMax}: remove some first`,
      );
    }
    if (removed.size > 0) {
      await transaction
        .deleteFrom('channelTag')
        .where('channelNumber', '=', channelNumber)
        .where('tag', 'in', [...removed])
        .where((tag) => tag.or([tag('userId', 'is', null), tag('userId', '=', caller.userId)]))
        .execute();
    }
    if (added.length > 0) {
      const rows = added.map((tag) => ({
        channelNumber,
        userId: tag.startsWith(sharedPrefix) ? null : caller.userId,
        tag,
      }));
      await transaction.insertInto('channelTag').values(rows).execute();
    }
    return { channelId, merchantId, tags: after.sort(byBytes) };
  });

/** Holds the channel's row, unchanged, until the transaction ends. */
async function waitTurn(transaction: RecordsTransaction, channelNumber: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('channel')
    .set((column) => ({ updatedAt: column.ref('updatedAt') }))
    .where('channelNumber', '=', channelNumber)
    .executeTakeFirst();
  // The channel was deleted after the look-up.
  if (numUpdatedRows === 0n) throw new Refusal(400, unreachableText);
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
