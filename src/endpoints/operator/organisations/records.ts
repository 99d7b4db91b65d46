import { randomUUID } from 'node:crypto';
import { change, defined, flag, listPage, seconds } from '../../../access/records.ts';
import { removeUsers } from '../../../access/users.ts';
import { notFound, Refusal } from '../../../contract/refusal.ts';
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
) =>
  answerOf(
    await registry.records
      .selectFrom('organisation')
      .selectAll()
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(() => notFound('organisation')),
  );

/** Changes an organisation. */
export const changeOrganisation: Handler<typeof contracts.changeOrganisation> = (
  { organisationId, ...fields },
  context,
) =>
  change(context, async (transaction, audit) => {
    const before = await transaction
      .selectFrom('organisation')
      .selectAll()
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(() => notFound('organisation'));
    const changes = defined({
      name: fields.name,
      plan: fields.plan,
      apiAccess: flagOf(fields.apiAccess),
      searchQueryPerformance: flagOf(fields.searchQueryPerformance),
      searchQueryProductMax: fields.searchQueryProductMax,
    });
    if (Object.keys(changes).length > 0) {
      await transaction
        .updateTable('organisation')
        .set(changes)
        .where('organisationId', '=', organisationId)
        .execute();
    }
    await audit({ action: 'changeOrganisation', subject: organisationId, detail: fields });
    return answerOf({ ...before, ...changes });
  });

/**
 * Deletes an organisation that has no channels, with its users, their keys and its campaign groups.
 */
export const deleteOrganisation: Handler<typeof contracts.deleteOrganisation> = (
  { organisationId },
  context,
) =>
  change(context, async (transaction, audit) => {
    await transaction
      .selectFrom('organisation')
      .select('organisationId')
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(() => notFound('organisation'));
    const { channels } = await transaction
      .selectFrom('channel')
      .select(({ fn }) => fn.countAll<number>().as('channels'))
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow();
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
    const { numDeletedRows } = await transaction
      .deleteFrom('organisation')
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow();
    // Another request deleted it at the same time.
    if (numDeletedRows === 0n) throw notFound('organisation');
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
