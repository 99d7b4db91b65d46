import {
  type Caller,
  type Channel,
  reachableChannels,
  unreachableText,
} from '../../access/channels.ts';
import { checkTags } from '../../access/quotas.ts';
import { requireSharer } from '../../access/rights.ts';
import { Refusal, refuse } from '../../contract/refusal.ts';
import type { RecordsTransaction, Registry } from '../../engine/registry.ts';
import type { Handler, RecordRules } from '../handler.ts';
import {
  type changeChannelTags as contract,
  type convertTag as convertContract,
  type listTags as listContract,
  type readChannelTags as readContract,
  sharedPrefix,
  tagsMax,
} from './contract.ts';

/** The record rule of the operation; the transaction checks it again. */
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

/**
 * Adds and removes tags; requests for one channel take turns, so each returns the tags after it.
 */
export const changeChannelTags: Handler<typeof contract> = async (
  { addTags = [], removeTags = [] },
  { caller, channel, commit, quotas, registry },
) => {
  if ([...addTags, ...removeTags].some((tag) => tag.startsWith(sharedPrefix)))
    requireSharer(caller);
  return commit(async (transaction) => {
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
};

/** Reads the tags of a channel. */
export const readChannelTags: Handler<typeof readContract> = async (
  _input,
  { caller, channel, registry },
) => {
  const { channelId, merchantId } = channel;
  const seen = await seenTags(registry.records, caller, channel);
  return { channelId, merchantId, tags: [...seen].sort(byBytes) };
};

/** Lists the channels that carry tags, with their tags. */
export const listTags: Handler<typeof listContract> = async (
  { pageIndex, pageSize },
  { caller, registry },
) => {
  const rows = await reachableChannels(registry, caller)
    .innerJoin('channelTag', 'channelTag.channelNumber', 'channel.channelNumber')
    .where((tag) =>
      tag.or([tag('channelTag.userId', 'is', null), tag('channelTag.userId', '=', caller.userId)]),
    )
    .clearSelect()
    .select(['channel.channelId', 'channel.merchantId', 'channelTag.tag'])
    .orderBy('channel.channelId')
    .execute();
  const found = [...Map.groupBy(rows, ({ channelId }) => channelId)];
  const from = pageIndex * pageSize;
  return {
    pageIndex,
    pageSize,
    totalCount: found.length,
    totalPages: Math.ceil(found.length / pageSize),
    items: found.slice(from, from + pageSize).map(([channelId, tags]) => ({
      channelId,
      merchantId: tags[0]!.merchantId,
      tags: tags.map(({ tag }) => tag).sort(byBytes),
    })),
  };
};

/** Makes a tag shared or private on every channel that carries it. */
export const convertTag: Handler<typeof convertContract> = ({ tag }, { caller, commit }) =>
  commit(async (transaction) => {
    const isShared = tag.startsWith(sharedPrefix);
    const [old, made] = isShared
      ? [
          { tag, userId: null },
          { tag: tag.slice(sharedPrefix.length).trim(), userId: caller.userId },
        ]
      : [
          { tag, userId: caller.userId },
          { tag: sharedPrefix + tag, userId: null },
        ];
    const carrying = async ({ tag, userId }: typeof old) =>
      (
        await reachableChannels({ records: transaction }, caller)
          .innerJoin('channelTag', 'channelTag.channelNumber', 'channel.channelNumber')
          .where('channelTag.tag', '=', tag)
          .where('channelTag.userId', userId === null ? 'is' : '=', userId)
          .clearSelect()
          .select('channel.channelNumber')
          .orderBy('channel.channelNumber')
          .execute()
      ).map(({ channelNumber }) => channelNumber);
    for (const channel of await carrying(old)) await waitTurn(transaction, channel);
    const channels = await carrying(old);
    const already = new Set(await carrying(made));
    if (channels.length > 0)
      await transaction
        .deleteFrom('channelTag')
        .where('channelNumber', 'in', channels)
        .where('tag', '=', old.tag)
        .where('userId', old.userId === null ? 'is' : '=', old.userId)
        .execute();
    const added = channels.filter((channel) => !already.has(channel));
    if (added.length > 0)
      await transaction
        .insertInto('channelTag')
        .values(added.map((channelNumber) => ({ channelNumber, ...made })))
        .execute();
    return { tag: made.tag, channels: channels.length };
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

/** Locks the channel's row, unchanged, until the transaction ends. */
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
