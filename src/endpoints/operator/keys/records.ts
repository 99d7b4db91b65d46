import { unboundedColumns } from '../../../access/keyRights.ts';
import type { RecordsOrTransaction } from '../../../access/records.ts';
import {
  change,
  changeOne,
  defined,
  findOne,
  listPage,
  readOne,
  seconds,
  secondsOrNull,
} from '../../../access/records.ts';
import type { RuleFailures } from '../../../contract/endpoint.ts';
import { Refusal, refuse } from '../../../contract/refusal.ts';
import { isManager } from '../../../contract/roles.ts';
import type { ApiKeyRecord, Registry } from '../../../engine/registry.ts';
import type { Handler, RecordRules } from '../../handler.ts';
import {
  addKey,
  boundColumnsOf,
  boundsAnswers,
  grantsOfNew,
  keyBoundsRules,
  keyChannelFailures,
  replaceKeyChannels,
} from '../../keySettings.ts';
import type * as contracts from './contract.ts';
import { burstFailure, limitsDefault } from './contract.ts';

/** The record rules of issuing a key; the transaction checks them again. */
export const issueKeyRules: RecordRules<typeof contracts.issueKey> = [
  {
    at: 'userId',
    check: ({ userId }, { registry }) => unfitFailures(registry.records, userId),
  },
  ...keyBoundsRules,
  {
    at: 'channels',
    reads: ['userId'],
    check: ({ userId, channels }, { registry }) =>
      keyChannelFailures(registry.records, userId, channels),
  },
];

/** The record rule of replacing a key; the transaction checks it again. */
export const rotateKeyRules: RecordRules<typeof contracts.rotateKey> = [
  {
    at: 'keyId',
    async check({ keyId }, { registry }) {
      const key = await findOne(registry.records, 'apiKey', { keyId });
      // The handler refuses an unknown key, with 404.
      return key && unfitFailures(registry.records, key.userId);
    },
  },
];

/** The record rules of changing a key; the transaction checks them again. */
export const changeKeyRules: RecordRules<typeof contracts.changeKey> = [
  {
    at: 'limits',
    reads: ['keyId'],
    async check({ keyId, limits }, { registry }) {
      const key = await findOne(registry.records, 'apiKey', { keyId });
      // The handler refuses an unknown key, with 404.
      return key && burstFailure({ ...key, ...limits });
    },
  },
  ...keyBoundsRules,
  {
    at: 'channels',
    reads: ['keyId'],
    async check({ keyId, channels }, { registry }) {
      const key = await findOne(registry.records, 'apiKey', { keyId });
      // The handler refuses an unknown key, with 404.
      return key && keyChannelFailures(registry.records, key.userId, channels);
    },
  },
];

/** Issues a key. */
export const issueKey: Handler<typeof contracts.issueKey> = (
  { userId, name, limits, assistant, ...requested },
  context,
) =>
  change(context, async (transaction, audit) => {
    refuse(await unfitFailures(transaction, userId));
    const bounds = grantsOfNew(requested, assistant);
    const issued = await addKey(transaction, context, {
      userId,
      name,
      ...limitsDefault,
      ...limits,
      ...unboundedColumns,
      expiresAt: null,
      ...boundColumnsOf(bounds),
    });
    await replaceKeyChannels(transaction, { ...issued, userId }, bounds.channels);
    await audit({
      action: 'issueKey',
      subject: issued.keyId,
      detail: { userId, name, ...(limits && { limits }), ...bounds },
    });
    return issued;
  });

/** Lists the records of keys. */
export const listKeys: Handler<typeof contracts.listKeys> = async (
  { userId, organisationId, ...page },
  { registry },
) => {
  const keys = registry.records
    .selectFrom('apiKey')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .where(({ and }) =>
      and(defined({ 'apiKey.userId': userId, 'userAccount.organisationId': organisationId })),
    )
    .selectAll('apiKey')
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.keyId');
  const { rows, total } = await listPage(keys, page);
  return { keys: await answersOf(registry.records, rows), total };
};

/** Reads the record of one key. */
export const readKey: Handler<typeof contracts.readKey> = async ({ keyId }, { registry }) =>
  answerOf(registry.records, await readOne(registry.records, 'apiKey', { keyId }));

/** Changes the name, the limits or the bounds of a key. */
export const changeKey: Handler<typeof contracts.changeKey> = (
  { keyId, name, limits, ...bounds },
  context,
) =>
  change(context, async (transaction, audit) => {
    const changes = defined({ name, ...limits, ...boundColumnsOf(bounds) });
    // Changed before it is checked, so that simultaneous changes are checked together; a refusal
    // rolls the change back.
    const key = await changeOne(transaction, 'apiKey', { keyId }, changes);
    if (key.revokedAt !== null) throw new Refusal(409, 'the key is revoked: issue a new one');
    refuse(burstFailure(key));
    if (limits !== undefined) await limitMadeKeys(transaction, key);
    await replaceKeyChannels(transaction, key, bounds.channels);
    await audit({
      action: 'changeKey',
      subject: keyId,
      detail: defined({ name, limits, ...bounds }),
    });
    return answerOf(transaction, key);
  });

/** Copies the limits of a key to the keys that were made from it, which have none of their own. */
async function limitMadeKeys(
  transaction: RecordsOrTransaction,
  { keyId, madeFrom, perSecond, burst, perDay }: ApiKeyRecord,
): Promise<void> {
  if (madeFrom !== null)
    throw new Refusal(409, `the key counts with the one that it was made from: limit ${madeFrom}`);
  await transaction
    .updateTable('apiKey')
    .set({ perSecond, burst, perDay })
    .where('madeFrom', '=', keyId)
    .execute();
}

/** Replaces a key. */
export const rotateKey: Handler<typeof contracts.rotateKey> = ({ keyId, graceSeconds }, context) =>
  change(context, async (transaction, audit) => {
    const old = await readOne(transaction, 'apiKey', { keyId });
    const now = context.now();
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw new Refusal(409, 'the key is revoked or expired: issue a new one');
    }
    refuse(await unfitFailures(transaction, old.userId));
    const expiresAt = Math.min(
      old.expiresAt ?? Number.POSITIVE_INFINITY,
      now + graceSeconds * 1000,
    );
    await changeOne(transaction, 'apiKey', { keyId }, { expiresAt });
    const { userId, name, perSecond, burst, perDay, grants, addresses, restricted, madeFrom } = old;
    const issued = await addKey(transaction, context, {
      userId,
      name,
      perSecond,
      burst,
      perDay,
      grants,
      addresses,
      restricted,
      madeFrom,
      expiresAt: old.expiresAt,
    });
    await succeed(transaction, keyId, issued.keyId);
    await audit({
      action: 'rotateKey',
      subject: keyId,
      detail: { graceSeconds, replacedBy: issued.keyId },
    });
    return issued;
  });

/** Revokes a key; revoking it again changes nothing. */
export const revokeKey: Handler<typeof contracts.revokeKey> = ({ keyId }, context) =>
  change(context, async (transaction, audit) => {
    const key = await readOne(transaction, 'apiKey', { keyId });
    if (key.revokedAt !== null) return;
    await changeOne(transaction, 'apiKey', { keyId }, { revokedAt: context.now() });
    await audit({ action: 'revokeKey', subject: keyId, detail: {} });
  });

/**
 * Gives a new key the channels of the key that it replaces, and the keys that were made from that.
 */
async function succeed(
  transaction: RecordsOrTransaction,
  keyId: string,
  successorId: string,
): Promise<void> {
  await transaction
    .insertInto('keyChannel')
    .columns(['keyId', 'channelNumber'])
    .expression(({ selectFrom, val }) =>
      selectFrom('keyChannel')
        .select([val(successorId).as('keyId'), 'channelNumber'])
        .where('keyId', '=', keyId),
    )
    .execute();
  await transaction
    .updateTable('apiKey')
    .set({ madeFrom: successorId })
    .where('madeFrom', '=', keyId)
    .execute();
}

/** The reasons why a user may have no key; undefined if there are none. */
async function unfitFailures(records: Registry['records'], userId: string): Promise<RuleFailures> {
  const user = await records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.role', 'organisation.apiAccess'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return 'userId must be that of a user';
  const reasons = [
    ...(!isManager(user.role) ? ['keys are issued only to owners and administrators'] : []),
    ...(user.apiAccess === 0 ? ["API access is not enabled for the user's organisation"] : []),
  ];
  return reasons.length > 0 ? reasons : undefined;
}

async function answerOf(records: RecordsOrTransaction, key: ApiKeyRecord) {
  const [answer] = await answersOf(records, [key]);
  return answer!;
}

async function answersOf(records: RecordsOrTransaction, keys: readonly ApiKeyRecord[]) {
  const bounds = await boundsAnswers(records, keys);
  return keys.map((key, place) => ({
    keyId: key.keyId,
    userId: key.userId,
    name: key.name,
    hint: key.hint,
    limits: { perSecond: key.perSecond, burst: key.burst, perDay: key.perDay },
    createdAt: seconds(key.createdAt),
    lastUsedAt: secondsOrNull(key.lastUsedAt),
    ...bounds[place]!,
    revokedAt: secondsOrNull(key.revokedAt),
  }));
}
