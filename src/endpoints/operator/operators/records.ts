import { randomUUID } from 'node:crypto';
import { operatorOwner } from '../../../access/operators.ts';
import { change, listPage, removeOne, seconds } from '../../../access/records.ts';
import { createTokens } from '../../../access/tokens.ts';
import type { Scope } from '../../../contract/endpoint.ts';
import { notFound, Refusal } from '../../../contract/refusal.ts';
import { isUniqueViolation } from '../../../engine/errors.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Creates an operator. */
export const createOperator: Handler<typeof contracts.createOperator> = (
  { name, scopes },
  context,
) =>
  change(context, async (transaction, audit) => {
    const operatorId = randomUUID();
    const { token, lookup } = createTokens(context.config.secret, 'operator').mint();
    const stored = { name, scopes: JSON.stringify([...new Set(scopes)]), lookup };
    await transaction
      .insertInto('operator')
      .values({ operatorId, ...stored, ...noPrevious, createdAt: context.now() })
      .execute();
    await audit({ action: 'createOperator', subject: operatorId, detail: { name, scopes } });
    return { operatorId, token };
  }).catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new Refusal(409, 'another operator has this name');
    throw error;
  });

/** Lists operators. */
export const listOperators: Handler<typeof contracts.listOperators> = async (
  page,
  { registry },
) => {
  const query = registry.records.selectFrom('operator').selectAll().orderBy('name');
  const { rows, total } = await listPage(query, page);
  const operators = rows.map(({ operatorId, name, scopes, createdAt }) => ({
    operatorId,
    name,
    scopes: JSON.parse(scopes) as Scope[],
    createdAt: seconds(createdAt),
  }));
  return { operators, total };
};

/** Replaces the token of an operator. */
export const rotateOperator: Handler<typeof contracts.rotateOperator> = (
  { operatorId, graceSeconds },
  context,
) =>
  change(context, async (transaction, audit) => {
    const { token, lookup } = createTokens(context.config.secret, 'operator').mint();
    const previousUntil = context.now() + graceSeconds * 1000;
    await transaction
      .updateTable('operator')
      .set(({ ref }) => ({ lookup, previousLookup: ref('lookup'), previousUntil }))
      .where('operatorId', '=', operatorId)
      .returning('operatorId')
      .executeTakeFirstOrThrow(() => notFound('operator'));
    await audit({ action: 'rotateOperator', subject: operatorId, detail: { graceSeconds } });
    return { operatorId, token };
  });

/** Deletes an operator; its name stays in the audit log. */
export const deleteOperator: Handler<typeof contracts.deleteOperator> = ({ operatorId }, context) =>
  change(context, async (transaction, audit) => {
    const { name } = await removeOne(transaction, 'operator', { operatorId });
    await transaction
      .deleteFrom('idempotentRequest')
      .where('owner', '=', operatorOwner(operatorId))
      .execute();
    await audit({ action: 'deleteOperator', subject: operatorId, detail: { name } });
  });

const noPrevious = { previousLookup: null, previousUntil: null };
