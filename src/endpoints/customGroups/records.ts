import type { Updateable } from 'kysely';
import { type Caller, reachableChannels } from '../../access/channels.ts';
import { Refusal } from '../../contract/refusal.ts';
import type { CustomGroupRecord, RecordsTransaction, Registry } from '../../engine/registry.ts';
import type { Handler } from '../handler.ts';
import {
  type changeCustomGroup as changeContract,
  type deleteCustomGroup as deleteContract,
  entriesMax,
  type listCustomGroups as listContract,
  type readCustomGroup as readContract,
  type saveCustomGroup as saveContract,
  skuOf,
} from './contract.ts';

// Both stores bind so many values in one statement.
const rowsPerStatement = 1_000;

type Kind = CustomGroupRecord['kind'];

/** A group as a call names it: by its number and, optionally, its channel. */
type Named = {
  readonly id: number | string;
  readonly channelId?: string;
  readonly merchantId?: string;
};

/** Creates a group, or overwrites the one with that number. */
export const saveCustomGroup: Handler<typeof saveContract> = (
  input,
  { caller, channel, commit, requestedAt },
) =>
  commit(async (transaction) => {
    const { groupId: id, channelId, merchantId, groupName, products = [], brands = [] } = input;
    const settings = {
      groupName,
      kind: brands.length === 0 ? 'products' : 'brands',
      updatedAt: requestedAt * 1000,
    } as const;
    const { groupId } =
      id === undefined
        ? await transaction
            .insertInto('customGroup')
            .values({
              ...settings,
              channelNumber: channel.channelNumber,
              createdAt: settings.updatedAt,
            })
            .returning('groupId')
            .executeTakeFirstOrThrow()
        : await updateGroup(transaction, caller, { id, channelId, merchantId }, settings);
    if (id !== undefined)
      await transaction.deleteFrom('customGroupEntry').where('groupId', '=', groupId).execute();
    await insertEntries(transaction, groupId, [...new Set([...brands, ...products.map(skuOf)])]);
    return { groupId };
  });

/** Reads a group with its entries. */
export const readCustomGroup: Handler<typeof readContract> = async (
  input,
  { caller, registry },
) => {
  // One statement sees the group at one moment; a group always has entries.
  const rows = await registry.records
    .selectFrom('customGroup')
    .innerJoin('customGroupEntry', 'customGroupEntry.groupId', 'customGroup.groupId')
    .select([
      'customGroup.groupId',
      'customGroup.groupName',
      'customGroup.kind',
      'customGroupEntry.entry',
    ])
    .where('customGroup.groupId', '=', numberOf(input.id))
    .where('customGroup.channelNumber', 'in', reached(registry, caller, input))
    .orderBy('customGroupEntry.entryId')
    .execute();
  const [group] = rows;
  if (group === undefined) throw unknownGroup();
  const { groupId, groupName, kind } = group;
  const entries = rows.map(({ entry }) => entry);
  return {
    group: {
      groupId,
      groupName,
      products: kind === 'products' ? entries.map((sellerSku) => ({ sellerSku })) : [],
      brands: kind === 'brands' ? entries : [],
    },
  };
};

/** Deletes a group. */
export const deleteCustomGroup: Handler<typeof deleteContract> = (input, { caller, commit }) =>
  commit(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('customGroup')
      .where('groupId', '=', numberOf(input.id))
      .where('channelNumber', 'in', reached({ records: transaction }, caller, input))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw unknownGroup();
  });

/** Renames a group, adds to it and removes from it; calls for one group take turns. */
export const changeCustomGroup: Handler<typeof changeContract> = (
  input,
  { caller, commit, requestedAt },
) =>
  commit(async (transaction) => {
    const {
      groupName,
      addProducts = [],
      removeProducts = [],
      addBrands = [],
      removeBrands = [],
    } = input;
    const settings = {
      updatedAt: requestedAt * 1000,
      ...(groupName !== undefined && { groupName }),
    };
    const { groupId, kind } = await updateGroup(transaction, caller, input, settings);
    const others =
      kind === 'products' ? [...addBrands, ...removeBrands] : [...addProducts, ...removeProducts];
    if (others.length > 0) {
      throw new Refusal(
        400,
        `the group holds ${kind}: ${kind === 'products' ? 'brands' : 'products'} cannot be changed`,
      );
    }
    const adding = kind === 'products' ? addProducts.map(skuOf) : addBrands;
    const removing = kind === 'products' ? removeProducts.map(skuOf) : removeBrands;
    await changeEntries(transaction, groupId, kind, new Set(adding), new Set(removing));
  });

/** Lists the groups of a channel. */
export const listCustomGroups: Handler<typeof listContract> = async (
  { pageIndex, pageSize },
  { channel, registry },
) => {
  const ofChannel = registry.records
    .selectFrom('customGroup')
    .where('channelNumber', '=', channel.channelNumber);
  const groups = await ofChannel
    .select(['groupId', 'groupName'])
    .orderBy('groupName')
    .orderBy('groupId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await ofChannel
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { groups, total };
};

async function changeEntries(
  transaction: RecordsTransaction,
  groupId: number,
  kind: Kind,
  adding: ReadonlySet<string>,
  removing: ReadonlySet<string>,
): Promise<void> {
  if (adding.size + removing.size === 0) return;
  const rows = await transaction
    .selectFrom('customGroupEntry')
    .select('entry')
    .where('groupId', '=', groupId)
    .execute();
  const before = new Set(rows.map(({ entry }) => entry));
  const added = [...adding].filter((entry) => !before.has(entry));
  const removed = [...removing].filter((entry) => before.has(entry));
  const size = before.size + added.length - removed.length;
  if (size === 0)
    throw new Refusal(
      400,
      `the change would leave the group without ${kind}: delete the group instead`,
    );
  if (size > entriesMax)
    throw new Refusal(
      400,
      `the group would hold ${size} ${kind} and may hold at most ${entriesMax}`,
    );
  for (const entries of inParts(removed)) {
    await transaction
      .deleteFrom('customGroupEntry')
      .where('groupId', '=', groupId)
      .where('entry', 'in', entries)
      .execute();
  }
  await insertEntries(transaction, groupId, added);
}

/** Keeps the order of the entries. */
async function insertEntries(
  transaction: RecordsTransaction,
  groupId: number,
  entries: readonly string[],
): Promise<void> {
  for (const part of inParts(entries)) {
    await transaction
      .insertInto('customGroupEntry')
      .values(part.map((entry) => ({ groupId, entry })))
      .execute();
  }
}

function inParts(entries: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(entries.length / rowsPerStatement) }, (_, part) =>
    entries.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement),
  );
}

/** Changes a group's record, which locks it until the transaction ends. Throws 404. */
async function updateGroup(
  transaction: RecordsTransaction,
  caller: Caller,
  named: Named,
  settings: Updateable<CustomGroupRecord>,
): Promise<{ groupId: number; kind: Kind }> {
  return transaction
    .updateTable('customGroup')
    .set(settings)
    .where('groupId', '=', numberOf(named.id))
    .where('channelNumber', 'in', reached({ records: transaction }, caller, named))
    .returning(['groupId', 'kind'])
    .executeTakeFirstOrThrow(unknownGroup);
}

/** The channels whose groups the caller may reach: all, or the one that the call names. */
function reached(
  registry: Pick<Registry, 'records'>,
  caller: Caller,
  { channelId, merchantId }: Omit<Named, 'id'>,
) {
  return reachableChannels(registry, caller)
    .clearSelect()
    .select('channel.channelNumber')
    .$if(channelId !== undefined, (channels) =>
      channels.where('channel.channelId', '=', channelId!),
    )
    .$if(merchantId !== undefined, (channels) =>
      channels.where('channel.merchantId', '=', merchantId!),
    );
}

/** Throws 404 for a number that no group can have. */
function numberOf(id: number | string): number {
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw unknownGroup();
  return number;
}

/** One text for every group out of reach, so that nobody learns which groups exist. */
function unknownGroup(): Refusal {
  return new Refusal(404, 'there is no such group');
}
