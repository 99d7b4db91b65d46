import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../contract/refusal.ts';
import type { OrganisationRecord } from '../../../engine/registry.ts';
import { type operatorContracts as contracts, searchQueryProductMaxDefault } from '../contracts.ts';
import { change, flag, given, type OperatorHandler, seconds } from '../handler.ts';
import { removeUsers } from '../users/records.ts';

type Contracts = typeof contracts;

/** Makes an organisation. */
export const createOrganisation: OperatorHandler<Contracts['createOrganisation']> = (
  asked,
  context,
) =>
  change(context, async (transaction, note) => {
    const organisation: OrganisationRecord = {
      organisationId: randomUUID(),
      name: asked.name,
      plan: asked.plan,
      apiAccess: flag(asked.apiAccess ?? true),
      searchQueryPerformance: flag(asked.searchQueryPerformance ?? false),
      searchQueryProductMax: asked.searchQueryProductMax ?? searchQueryProductMaxDefault,
      createdAt: context.now(),
    };
    await transaction.insertInto('organisation').values(organisation).execute();
    await note({
      action: 'createOrganisation',
      subject: organisation.organisationId,
      detail: asked,
    });
    return { organisationId: organisation.organisationId };
  });

/** Lists organisations. */
export const listOrganisations: OperatorHandler<Contracts['listOrganisations']> = async (
  { pageIndex, pageSize },
  { registry },
) => {
  const found = await registry.records
    .selectFrom('organisation')
    .selectAll()
    .orderBy('name')
    .orderBy('organisationId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await registry.records
    .selectFrom('organisation')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { organisations: found.map(answerOf), total };
};

/** Reads one organisation. */
export const readOrganisation: OperatorHandler<Contracts['readOrganisation']> = async (
  { organisationId },
  { registry },
) =>
  answerOf(
    await registry.records
      .selectFrom('organisation')
      .selectAll()
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(unknownOrganisation),
  );

/** Changes an organisation. */
export const changeOrganisation: OperatorHandler<Contracts['changeOrganisation']> = (
  { organisationId, ...asked },
  context,
) =>
  change(context, async (transaction, note) => {
    const before = await transaction
      .selectFrom('organisation')
      .selectAll()
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(unknownOrganisation);
    const changes = given({
      name: asked.name,
      plan: asked.plan,
      apiAccess: asked.apiAccess === undefined ? undefined : flag(asked.apiAccess),
      searchQueryPerformance:
        asked.searchQueryPerformance === undefined ? undefined : flag(asked.searchQueryPerformance),
      searchQueryProductMax: asked.searchQueryProductMax,
    });
    if (Object.keys(changes).length > 0) {
      await transaction
        .updateTable('organisation')
        .set(changes)
        .where('organisationId', '=', organisationId)
        .execute();
    }
    await note({ action: 'changeOrganisation', subject: organisationId, detail: asked });
    return answerOf({ ...before, ...changes });
  });

/** Deletes an organisation that has no channels, with its users, their keys and its campaign groups. */
export const deleteOrganisation: OperatorHandler<Contracts['deleteOrganisation']> = (
  { organisationId },
  context,
) =>
  change(context, async (transaction, note) => {
    await transaction
      .selectFrom('organisation')
      .select('organisationId')
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow(unknownOrganisation);
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
    // Its campaign groups go with it.
    const { numDeletedRows } = await transaction
      .deleteFrom('organisation')
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow();
    // Somebody else has just done it.
    if (numDeletedRows === 0n) throw unknownOrganisation();
    await note({ action: 'deleteOrganisation', subject: organisationId, detail: removed });
  });

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

function unknownOrganisation(): Refusal {
  return new Refusal(404, 'there is no such organisation');
}
