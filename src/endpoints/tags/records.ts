import { type Caller, type Channel, unreachableText } from '../../access/channels.ts';
import { checkTags } from '../../access/quotas.ts';
import { Refusal, refuse } from '../../contract/refusal.ts';
import type { RecordsTransaction, Registry } from '../../engine/registry.ts';
import type { Handler, RecordRules } from '../handler.ts';
import { type changeChannelTags as contract, sharedPrefix, tagsMax } from './contract.ts';

/** The rule of the operation that needs records; the transaction checks it again. */
export const changeTagsRules: RecordRules<typeof contract> = [
  {
    at: 'addTags',
    reads: ['removeTags', 'channelId', 'merchantId'],
    async check({ addTags = [], removeTags = [] }, { caller, channel, registry }) {
      const before = await seenTags(registry.records, caller, channel);
      return limitFailure(before, tagsAfter(before, addTags, removeTags));
    },
  },
];

/** Adds and removes tags; calls for one channel take turns, so each answers the tags after it. */
export const changeChannelTags: Handler<typeof contract> = (
  { addTags = [], removeTags = [] },
  { caller, channel, commit, quotas, registry },
) =>
  commit(async (transaction) => {
    const { channelNumber, channelId, merchantId } = channel;
    await waitTurn(transaction, channelNumber);
    const before = await seenTags(transaction, caller, channel);
    const added = [...new Set(addTags)].filter((tag) => !before.has(tag));
    const removed = new Set(removeTags.filter((tag) => before.has(tag)));
    const after = tagsAfter(before, addTags, removeTags);
    refuse(limitFailure(before, after));
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
      await checkTags(registry.engine, transaction, caller.organisationId, quotas.organisationTags);
    }
    return { channelId, merchantId, tags: after.sort(byBytes) };
  });

/** The tags of a channel that the caller sees: shared ones and the caller's own. */
async function seenTags(
  records: Registry['records'],
  { userId }: Caller,
  { channelNumber }: Channel,
): Promise<ReadonlySet<string>> {
  const seen = await records
    .selectFrom('channelTag')
    .select('tag')
    .where('channelNumber', '=', channelNumber)
    .where((tag) => tag.or([tag('userId', 'is', null), tag('userId', '=', userId)]))
    .execute();
  return new Set(seen.map(({ tag }) => tag));
}

function tagsAfter(
  before: ReadonlySet<string>,
  adding: readonly string[],
  removing: readonly string[],
): string[] {
  const removed = new Set(removing);
  return [...new Set([...before, ...adding])].filter((tag) => !removed.has(tag));
}

/** Tags that others share may take a user above the limit, who may still remove some. */
function limitFailure(before: ReadonlySet<string>, after: readonly string[]): string | undefined {
  return after.length > tagsMax && after.length > before.size
    ? `addTags would give the channel ${after.length} tags and it may have at most ${tagsMax}: remove some first`
    : undefined;
}

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
