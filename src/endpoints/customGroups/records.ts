import { randomInt } from 'node:crypto';
import type { Updateable } from 'kysely';
import { type Caller, reachableChannels } from '../../access/channels.ts';
import { checkGroups } from '../../access/quotas.ts';
import { defined, listPage } from '../../access/records.ts';
import { isObject } from '../../contract/jsonSchema.ts';
import { Refusal, refuse } from '../../contract/refusal.ts';
import type { CustomGroupRecord, RecordsTransaction, Registry } from '../../engine/registry.ts';
import type { Handler, RecordRules } from '../handler.ts';
import {
  type changeCustomGroup as changeContract,
  type deleteCustomGroup as deleteContract,
  entriesMax,
  type listCustomGroups as listContract,
  type readCustomGroup as readContract,
  type saveCustomGroup as saveContract,
  skuOf,
} from './contract.ts';

// Both stores can bind this many values in one statement.
const rowsPerStatement = 1_000;

/** Numbers of groups are random, so that they reveal nothing about other groups. */
const groupIdMax = 2 ** 48 - 1;

type Kind = CustomGroupRecord['kind'];

/** A group as a request names it: by its number and, optionally, its channel. */
type Named = {
  readonly id: number | string;
  readonly channelId?: string;
  readonly merchantId?: string;
};

/** Creates a group, or overwrites the one with that number. */
export const saveCustomGroup: Handler<typeof saveContract> = (
  input,
  { caller, channel, commit, quotas, registry, requestedAt },
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
              groupId: randomInt(1, groupIdMax),
              channelNumber: channel.channelNumber,
              createdAt: settings.updatedAt,
            })
            .returning('groupId')
            .executeTakeFirstOrThrow()
        : await updateGroup(transaction, caller, { id, channelId, merchantId }, settings);
    if (id !== undefined)
      await transaction.deleteFrom('customGroupEntry').where('groupId', '=', groupId).execute();
    await insertEntries(transaction, groupId, [...new Set([...brands, ...products.map(skuOf)])]);
    await checkGroups(registry.engine, transaction, caller.organisationId, quotas);
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

/** Groups are numbered from 1. */
const noGroup = 0;

/** The changes of a group's entries, by their fields in the contract. */
const changesOf = {
  products: { add: 'addProducts', remove: 'removeProducts' },
  brands: { add: 'addBrands', remove: 'removeBrands' },
} as const;

type ChangeField = (typeof changesOf)[Kind]['add' | 'remove'];
type Changes = { readonly [Field in ChangeField]?: readonly unknown[] };

/** The rule of changes that needs records; the transaction checks it again. */
export const changeGroupRules: RecordRules<typeof changeContract> = [
  {
    at: 'removeBrands',
    reads: ['id', 'channelId', 'merchantId', 'addProducts', 'removeProducts', 'addBrands'],
    async check(input, { caller, registry }) {
      const group = await registry.records
        .selectFrom('customGroup')
        .select(['groupId', 'kind'])
        .where('groupId', '=', isPossible(input.id) ? Number(input.id) : noGroup)
        .where('channelNumber', 'in', reached(registry, caller, input))
        .executeTakeFirst();
      // An unknown group is refused by the handler, with 404.
      return group && (await effectOf(registry.records, group, input)).failures;
    },
  },
];

/** Renames a group, adds to it and removes from it; requests for one group take turns. */
export const changeCustomGroup: Handler<typeof changeContract> = (
  input,
  { caller, commit, quotas, registry, requestedAt },
) =>
  commit(async (transaction) => {
    const { groupName } = input;
    const settings = {
      updatedAt: requestedAt * 1000,
      ...(groupName !== undefined && { groupName }),
    };
    const { groupId, kind } = await updateGroup(transaction, caller, input, settings);
    const { added, removed, failures } = await effectOf(transaction, { groupId, kind }, input);
    refuse(failures);
    for (const entries of inParts(removed)) {
      await transaction
        .deleteFrom('customGroupEntry')
        .where('groupId', '=', groupId)
        .where('entry', 'in', entries)
        .execute();
    }
    await insertEntries(transaction, groupId, added);
    if (added.length > 0)
      await checkGroups(registry.engine, transaction, caller.organisationId, quotas);
  });

/** Lists the groups of a channel. */
export const listCustomGroups: Handler<typeof listContract> = async (
  page,
  { channel, registry },
) => {
  const ofChannel = registry.records
    .selectFrom('customGroup')
    .where('channelNumber', '=', channel.channelNumber)
    .select(['groupId', 'groupName'])
    .orderBy('groupName')
    .orderBy('groupId');
  const { rows: groups, total } = await listPage(ofChannel, page);
  return { groups, total };
};

/** The entries in a field of a change; malformed ones are skipped. */
function entriesIn(changes: Changes, field: ChangeField): Set<string> {
  const entries = (changes[field] ?? []).map((one) => (isObject(one) ? one.sellerSku : one));
  return new Set(entries.filter((entry) => typeof entry === 'string'));
}

/**
 * The effect of a change on a group, whose kind never changes, and whose entries are never none and
 * have a limit.
 */
async function effectOf(
  records: Registry['records'],
  { groupId, kind }: { readonly groupId: number; readonly kind: Kind },
  changes: Changes,
) {
  const other = changesOf[kind === 'products' ? 'brands' : 'products'];
  const failures = [other.add, other.remove]
    .filter((field) => (changes[field]?.length ?? 0) > 0)
    .map((field) => `${field} must not be given: the group holds ${kind}`);
  const { add, remove } = changesOf[kind];
  const [adding, removing] = [entriesIn(changes, add), entriesIn(changes, remove)];
  if (adding.size + removing.size === 0) return { added: [], removed: [], failures };
  const rows = await records
    .selectFrom('customGroupEntry')
    .select('entry')
    .where('groupId', '=', groupId)
    .execute();
  const before = new Set(rows.map(({ entry }) => entry));
  const added = [...adding].filter((entry) => !before.has(entry));
  const removed = [...removing].filter((entry) => before.has(entry));
  const size = before.size + added.length - removed.length;
  if (size === 0)
    failures.push(`${remove} would leave the group without ${kind}: delete the group instead`);
  // Another rule refuses a list that is too long by itself.
  if (size > entriesMax && adding.size <= entriesMax)
    failures.push(
      `${add} would give the group ${size} ${kind} and it may hold at most ${entriesMax}`,
    );
  return { added, removed, failures };
}

/** Preserves the order of the entries. */
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

/** The channels whose groups the caller may reach: all, or the one that the request names. */
function reached(
  registry: Pick<Registry, 'records'>,
  caller: Caller,
  { channelId, merchantId }: Omit<Named, 'id'>,
) {
  return reachableChannels(registry, caller)
    .clearSelect()
    .select('channel.channelNumber')
    .where(({ and }) =>
      and(defined({ 'channel.channelId': channelId, 'channel.merchantId': merchantId })),
    );
}

/** Throws 404 for a number that no group can have. */
function numberOf(id: number | string): number {
  if (!isPossible(id)) throw unknownGroup();
  return Number(id);
}

function isPossible(id: number | string): boolean {
  return Number.isSafeInteger(Number(id));
}

/** One text for every group out of reach, so that nobody learns which groups exist. */
function unknownGroup(): Refusal {
  return new Refusal(404, 'there is no such group');
}
