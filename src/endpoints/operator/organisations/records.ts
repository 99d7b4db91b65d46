import { randomUUID } from 'node:crypto';
import {
  change,
  changeOne,
  countOf,
  defined,
  flag,
  listPage,
  readOne,
  removeOne,
  seconds,
} from '../../../access/records.ts';
import { removeUsers } from '../../../access/users.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { OrganisationRecord } from '../../../engine/registry.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { searchQueryProductMaxDefault } from './contract.ts';

/** Creates an organisation. */
export const createOrganisation: Handler<typeof contracts.createOrganisation> = (input, context) =>
  change(context, async (transaction, audit) => {
    const organisation: OrganisationRecord = {
      organisationId: randomUUID(),
      name: input.name,
      plan: input.plan,
      apiAccess: flag(input.apiAccess),
      searchQueryPerformance: flag(input.searchQueryPerformance),
      searchQueryProductMax: input.searchQueryProductMax ?? searchQueryProductMaxDefault,
      createdAt: context.now(),
    };
    await transaction.insertInto('organisation').values(organisation).execute();
    await audit({
      action: 'createOrganisation',
      subject: organisation.organisationId,
      detail: input,
    });
    return { organisationId: organisation.organisationId };
  });

/** Lists organisations. */
export const listOrganisations: Handler<typeof contracts.listOrganisations> = async (
  page,
  { registry },
) => {
  const organisations = registry.records
    .selectFrom('organisation')
    .selectAll()
    .orderBy('name')
    .orderBy('organisationId');
  const { rows, total } = await listPage(organisations, page);
  return { organisations: rows.map(answerOf), total };
};

/** Reads one organisation. */
export const readOrganisation: Handler<typeof contracts.readOrganisation> = async (
  { organisationId },
  { registry },
) => answerOf(await readOne(registry.records, 'organisation', { organisationId }));

/** Changes an organisation. */
export const changeOrganisation: Handler<typeof contracts.changeOrganisation> = (
  { organisationId, ...fields },
  context,
) =>
  change(context, async (transaction, audit) => {
    const changes = defined({
      name: fields.name,
      plan: fields.plan,
      apiAccess: flagOf(fields.apiAccess),
      searchQueryPerformance: flagOf(fields.searchQueryPerformance),
      searchQueryProductMax: fields.searchQueryProductMax,
    });
    const changed = await changeOne(transaction, 'organisation', { organisationId }, changes);
    await audit({ action: 'changeOrganisation', subject: organisationId, detail: fields });
    return answerOf(changed);
  });

/**
 * Deletes an organisation that has no channels, with its users, their keys and its campaign groups.
 */
export const deleteOrganisation: Handler<typeof contracts.deleteOrganisation> = (
  { organisationId },
  context,
) =>
  change(context, async (transaction, audit) => {
    await readOne(transaction, 'organisation', { organisationId });
    const channels = await countOf(transaction, 'channel', { organisationId });
    if (channels > 0) {
      throw new Refusal(
        409,
        `the organisation still has ${channels === 1 ? 'a channel' : `${channels} channels`}: delete its channels first`,
      );
    }
    const users = await transaction
      .selectFrom('userAccount')
      .select('userId')
      .where('organisationId', '=', organisationId)
      .execute();
    const removed = await removeUsers(
      transaction,
      users.map(({ userId }) => userId),
    );
    // The store deletes its campaign groups.
    await removeOne(transaction, 'organisation', { organisationId });
    await audit({ action: 'deleteOrganisation', subject: organisationId, detail: removed });
  });

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : flag(value);
}

function answerOf(organisation: OrganisationRecord) {
  return {
    organisationId: organisation.organisationId,
    name: organisation.name,
    plan: organisation.plan,
    apiAccess: organisation.apiAccess === 1,
    searchQueryPerformance: organisation.searchQueryPerformance === 1,
    searchQueryProductMax: organisation.searchQueryProductMax,
    createdAt: seconds(organisation.createdAt),
  };
}
