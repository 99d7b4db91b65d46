import { randomUUID } from 'node:crypto';
import { mintKey } from '../../../access/keys.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { ApiKeyRecord, RecordsTransaction } from '../../../engine/registry.ts';
import { burstFailure, type operatorContracts as contracts, limitsDefault } from '../contracts.ts';
import { change, given, type OperatorContext, type OperatorHandler, seconds } from '../handler.ts';

type Contracts = typeof contracts;

/** Issues a key. */
export const issueKey: OperatorHandler<Contracts['issueKey']> = ({ userId, limits }, context) =>
  change(context, async (transaction, note) => {
    await refuseUnfit(transaction, userId);
    const issued = await issue(transaction, context, userId, { ...limitsDefault, ...limits });
    await note({
      action: 'issueKey',
      subject: issued.keyId,
      detail: { userId, ...(limits && { limits }) },
    });
    return issued;
  });

/** Lists keys, without the keys themselves. */
export const listKeys: OperatorHandler<Contracts['listKeys']> = async (
  { userId, organisationId, pageIndex, pageSize },
  { registry },
) => {
  const keys = registry.records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .$if(userId !== undefined, (query) => query.where('apiKey.userId', '=', userId!))
    .$if(organisationId !== undefined, (query) =>
      query.where('userAccount.organisationId', '=', organisationId!),
    );
  const found = await keys
    .selectAll('apiKey')
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.keyId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await keys
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { keys: found.map(answerOf), total };
};

/** Reads one key, without the key itself. */
export const readKey: OperatorHandler<Contracts['readKey']> = async ({ keyId }, { registry }) =>
  answerOf(
    await registry.records
      .selectFrom('apiKey')
      .selectAll()
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(unknownKey),
  );

/** Changes the limits or the end of a key. */
export const changeKey: OperatorHandler<Contracts['changeKey']> = (
  { keyId, limits, expiresAt },
  context,
) =>
  change(context, async (transaction, note) => {
    const end = typeof expiresAt === 'number' ? expiresAt * 1000 : expiresAt;
    const changes = given({ ...limits, expiresAt: end });
    // Changed before it is judged, so that two changes at once are judged together; a refusal undoes it.
    const key = await (Object.keys(changes).length === 0
      ? transaction.selectFrom('apiKey').selectAll().where('keyId', '=', keyId)
      : transaction.updateTable('apiKey').set(changes).where('keyId', '=', keyId).returningAll()
    ).executeTakeFirstOrThrow(unknownKey);
    if (key.revokedAt !== null) throw new Refusal(409, 'the key is revoked: issue a new one');
    const failure = burstFailure(key);
    if (failure !== undefined) throw new Refusal(400, failure);
    await note({ action: 'changeKey', subject: keyId, detail: given({ limits, expiresAt }) });
    return answerOf(key);
  });

/** Replaces a key. */
export const rotateKey: OperatorHandler<Contracts['rotateKey']> = (
  { keyId, graceSeconds },
  context,
) =>
  change(context, async (transaction, note) => {
    const old = await transaction
      .selectFrom('apiKey')
      .selectAll()
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(unknownKey);
    const now = context.now();
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw new Refusal(409, 'the key is revoked or expired: issue a new one');
    }
    await refuseUnfit(transaction, old.userId);
    const expiresAt = Math.min(
      old.expiresAt ?? Number.POSITIVE_INFINITY,
      now + graceSeconds * 1000,
    );
    await transaction.updateTable('apiKey').set({ expiresAt }).where('keyId', '=', keyId).execute();
    const issued = await issue(transaction, context, old.userId, old);
    await note({
      action: 'rotateKey',
      subject: keyId,
      detail: { graceSeconds, replacedBy: issued.keyId },
    });
    return issued;
  });

/** Revokes a key; a second time changes nothing. */
export const revokeKey: OperatorHandler<Contracts['revokeKey']> = ({ keyId }, context) =>
  change(context, async (transaction, note) => {
    const key = await transaction
      .selectFrom('apiKey')
      .select('revokedAt')
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(unknownKey);
    if (key.revokedAt !== null) return;
    await transaction
      .updateTable('apiKey')
      .set({ revokedAt: context.now() })
      .where('keyId', '=', keyId)
      .execute();
    await note({ action: 'revokeKey', subject: keyId, detail: {} });
  });

type Limits = Pick<ApiKeyRecord, 'perSecond' | 'burst' | 'perDay'>;

async function issue(
  transaction: RecordsTransaction,
  { config, now }: OperatorContext,
  userId: string,
  limits: Limits,
) {
  const keyId = randomUUID();
  const { key, lookup, sealed } = mintKey(config.secret, keyId, config.environment);
  const { perSecond, burst, perDay } = limits;
  const none = { lastUsedAt: null, expiresAt: null, revokedAt: null };
  await transaction
    .insertInto('apiKey')
    .values({ keyId, userId, lookup, sealed, perSecond, burst, perDay, createdAt: now(), ...none })
    .execute();
  return { keyId, key };
}

async function refuseUnfit(transaction: RecordsTransaction, userId: string): Promise<void> {
  const user = await transaction
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.role', 'organisation.apiAccess'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (user === undefined) throw new Refusal(400, 'userId must be that of a user');
  const reasons = [
    ...(user.role === 'member' ? ['keys are issued only to owners and administrators'] : []),
    ...(user.apiAccess === 0 ? ["API access is not enabled for the user's organisation"] : []),
  ];
  if (reasons.length > 0) throw new Refusal(400, reasons.join(', '));
}

function answerOf(key: ApiKeyRecord) {
  const secondsOrNull = (milliseconds: number | null) =>
    milliseconds === null ? null : seconds(milliseconds);
  return {
    keyId: key.keyId,
    userId: key.userId,
    limits: { perSecond: key.perSecond, burst: key.burst, perDay: key.perDay },
    createdAt: seconds(key.createdAt),
    lastUsedAt: secondsOrNull(key.lastUsedAt),
    expiresAt: secondsOrNull(key.expiresAt),
    revokedAt: secondsOrNull(key.revokedAt),
  };
}

function unknownKey(): Refusal {
  return new Refusal(404, 'there is no such key');
}
