import { randomUUID } from 'node:crypto';
import { mintKey } from '../../../access/keys.ts';
import { change, defined, listPage, seconds, secondsOrNull } from '../../../access/records.ts';
import type { RuleFailures } from '../../../contract/endpoint.ts';
import { notFound, Refusal, refuse } from '../../../contract/refusal.ts';
import type { ApiKeyRecord, RecordsTransaction, Registry } from '../../../engine/registry.ts';
import type { Context, Handler, RecordRules } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { burstFailure, limitsDefault } from './contract.ts';

/** The rule of issuing a key that needs records; the transaction checks it again. */
export const issueKeyRules: RecordRules<typeof contracts.issueKey> = [
  {
    at: 'userId',
    check: ({ userId }, { registry }) => unfitFailures(registry.records, userId),
  },
];

/** The rule of replacing a key that needs records; the transaction checks it again. */
export const rotateKeyRules: RecordRules<typeof contracts.rotateKey> = [
  {
    at: 'keyId',
    async check({ keyId }, { registry }) {
      const key = await findKey(registry, keyId);
      return key && unfitFailures(registry.records, key.userId);
    },
  },
];

/** The rule of changing a key that needs records; the transaction checks it again. */
export const changeKeyRules: RecordRules<typeof contracts.changeKey> = [
  {
    at: 'limits',
    reads: ['keyId'],
    async check({ keyId, limits }, { registry }) {
      const key = await findKey(registry, keyId);
      return key && burstFailure({ ...key, ...limits });
    },
  },
];

/** The key of an identifier; an unknown one is refused by the handler, with 404. */
function findKey({ records }: Registry, keyId: string) {
  return records.selectFrom('apiKey').selectAll().where('keyId', '=', keyId).executeTakeFirst();
}

/** Issues a key. */
export const issueKey: Handler<typeof contracts.issueKey> = ({ userId, name, limits }, context) =>
  change(context, async (transaction, audit) => {
    refuse(await unfitFailures(transaction, userId));
    const settings = { userId, name, ...limitsDefault, ...limits };
    const issued = await issue(transaction, context, settings);
    await audit({
      action: 'issueKey',
      subject: issued.keyId,
      detail: { userId, name, ...(limits && { limits }) },
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
    .$if(userId !== undefined, (query) => query.where('apiKey.userId', '=', userId!))
    .$if(organisationId !== undefined, (query) =>
      query.where('userAccount.organisationId', '=', organisationId!),
    )
    .selectAll('apiKey')
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.keyId');
  const { rows, total } = await listPage(keys, page);
  return { keys: rows.map(answerOf), total };
};

/** Reads the record of one key. */
export const readKey: Handler<typeof contracts.readKey> = async ({ keyId }, { registry }) =>
  answerOf(
    await registry.records
      .selectFrom('apiKey')
      .selectAll()
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(() => notFound('key')),
  );

/** Changes the name, the limits or the end of a key. */
export const changeKey: Handler<typeof contracts.changeKey> = (
  { keyId, name, limits, expiresAt },
  context,
) =>
  change(context, async (transaction, audit) => {
    const end = typeof expiresAt === 'number' ? expiresAt * 1000 : expiresAt;
    const changes = defined({ name, ...limits, expiresAt: end });
    // Changed before it is checked, so that two changes at once are checked together; a refusal
    // rolls the change back.
    const key = await (Object.keys(changes).length === 0
      ? transaction.selectFrom('apiKey').selectAll().where('keyId', '=', keyId)
      : transaction.updateTable('apiKey').set(changes).where('keyId', '=', keyId).returningAll()
    ).executeTakeFirstOrThrow(() => notFound('key'));
    if (key.revokedAt !== null) throw new Refusal(409, 'the key is revoked: issue a new one');
    refuse(burstFailure(key));
    await audit({
      action: 'changeKey',
      subject: keyId,
      detail: defined({ name, limits, expiresAt }),
    });
    return answerOf(key);
  });

/** Replaces a key. */
export const rotateKey: Handler<typeof contracts.rotateKey> = ({ keyId, graceSeconds }, context) =>
  change(context, async (transaction, audit) => {
    const old = await transaction
      .selectFrom('apiKey')
      .selectAll()
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(() => notFound('key'));
    const now = context.now();
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw new Refusal(409, 'the key is revoked or expired: issue a new one');
    }
    refuse(await unfitFailures(transaction, old.userId));
    const expiresAt = Math.min(
      old.expiresAt ?? Number.POSITIVE_INFINITY,
      now + graceSeconds * 1000,
    );
    await transaction.updateTable('apiKey').set({ expiresAt }).where('keyId', '=', keyId).execute();
    const issued = await issue(transaction, context, old);
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
    const key = await transaction
      .selectFrom('apiKey')
      .select('revokedAt')
      .where('keyId', '=', keyId)
      .executeTakeFirstOrThrow(() => notFound('key'));
    if (key.revokedAt !== null) return;
    await transaction
      .updateTable('apiKey')
      .set({ revokedAt: context.now() })
      .where('keyId', '=', keyId)
      .execute();
    await audit({ action: 'revokeKey', subject: keyId, detail: {} });
  });

type Settings = Pick<ApiKeyRecord, 'userId' | 'name' | 'perSecond' | 'burst' | 'perDay'>;

async function issue(
  transaction: RecordsTransaction,
  { config, now }: Context<'operator'>,
  { userId, name, perSecond, burst, perDay }: Settings,
) {
  const keyId = randomUUID();
  const { key, ...stored } = mintKey(config.secret, keyId, config.environment);
  await transaction
    .insertInto('apiKey')
    .values({
      ...{ keyId, userId, name, ...stored, perSecond, burst, perDay, createdAt: now() },
      ...{ lastUsedAt: null, expiresAt: null, revokedAt: null },
    })
    .execute();
  return { keyId, key };
}

/** Why a user may have no key. */
async function unfitFailures(records: Registry['records'], userId: string): Promise<RuleFailures> {
  const user = await records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.role', 'organisation.apiAccess'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return 'userId must be that of a user';
  const reasons = [
    ...(user.role === 'member' ? ['keys are issued only to owners and administrators'] : []),
    ...(user.apiAccess === 0 ? ["API access is not enabled for the user's organisation"] : []),
  ];
  return reasons.length > 0 ? reasons : undefined;
}

function answerOf(key: ApiKeyRecord) {
  return {
    keyId: key.keyId,
    userId: key.userId,
    name: key.name,
    hint: key.hint,
    limits: { perSecond: key.perSecond, burst: key.burst, perDay: key.perDay },
    createdAt: seconds(key.createdAt),
    lastUsedAt: secondsOrNull(key.lastUsedAt),
    expiresAt: secondsOrNull(key.expiresAt),
    revokedAt: secondsOrNull(key.revokedAt),
  };
}
