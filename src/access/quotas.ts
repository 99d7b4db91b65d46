/** Quotas: how many records an organisation may have. */
import { refuse } from '../contract/refusal.ts';
import { lockOrganisation, type RecordsTransaction, type Registry } from '../engine/registry.ts';

/**
 * Refuses a change after which the organisation has more custom groups, or more entries in all of
 * them, than it may. Throws inside the transaction of the change, which is then undone.
 */
export async function checkGroups(
  engine: Registry['engine'],
  transaction: RecordsTransaction,
  organisationId: string,
  {
    organisationGroups: groupsMax,
    organisationGroupEntries: entriesMax,
  }: { readonly organisationGroups: number; readonly organisationGroupEntries: number },
): Promise<void> {
  await lockOrganisation(engine, transaction, organisationId);
  const groups = transaction
    .selectFrom('customGroup')
    .innerJoin('channel', 'channel.channelNumber', 'customGroup.channelNumber')
    .where('channel.organisationId', '=', organisationId);
  const { count } = await groups
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  refuse(quotaFailure(count, groupsMax, 'groups'));
  const entries = await groups
    .innerJoin('customGroupEntry', 'customGroupEntry.groupId', 'customGroup.groupId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  refuse(quotaFailure(entries.count, entriesMax, 'SKUs and brands in all its groups'));
}

/** As `checkGroups`, for the tags of all channels. */
export async function checkTags(
  engine: Registry['engine'],
  transaction: RecordsTransaction,
  organisationId: string,
  tagsMax: number,
): Promise<void> {
  await lockOrganisation(engine, transaction, organisationId);
  const { count } = await transaction
    .selectFrom('channelTag')
    .innerJoin('channel', 'channel.channelNumber', 'channelTag.channelNumber')
    .where('channel.organisationId', '=', organisationId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  refuse(quotaFailure(count, tagsMax, 'tags on all its channels'));
}

/** The failure of a number of records above a quota. */
export function quotaFailure(count: number, max: number, records: string): string | undefined {
  return count > max
    ? `your organisation would have ${count} ${records} and may have at most ${max}: delete some first or ask the operator of the service for more`
    : undefined;
}
