import { reachableChannels } from '../../../access/channels.ts';
import { seconds, secondsOrNull } from '../../../access/records.ts';
import type { SignedIn } from '../../../access/sessions.ts';
import { usableKeys } from '../../../access/usableKeys.ts';
import { isManager, managerRoles } from '../../../contract/roles.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { Handler } from '../../handler.ts';
import { boundsAnswers } from '../../keySettings.ts';
import type { readAccess as contract } from './contract.ts';

/** The most administrators that a member sees: enough to find somebody to ask. */
const administratorsMax = 20;

/** Reads the keys, the plan and the entitlements of the user. */
export const readAccess: Handler<typeof contract> = async (
  _input,
  { signedIn, registry, config, usage, now },
) => {
  const { userId, organisationId, role } = signedIn;
  const user = await registry.records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.restricted', 'organisation.plan', 'organisation.apiAccess'])
    .select(['organisation.searchQueryPerformance', 'organisation.searchQueryProductMax'])
    .where('userAccount.userId', '=', userId)
    .executeTakeFirstOrThrow();
  const restricted = user.restricted === 1;
  const { channels } = await reachableChannels(registry, {
    userId,
    organisationId,
    restricted,
    keyId: null,
  })
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('channels'))
    .executeTakeFirstOrThrow();
  // The pending writes include the times of last use.
  await usage.write();
  const keys = await usableKeys(registry, userId, now()).execute();
  const bounds = await boundsAnswers(registry.records, keys);
  return {
    role,
    organisation: signedIn.organisation,
    plan: user.plan,
    apiAccess: user.apiAccess === 1,
    orders: user.plan === 'enterprise',
    searchQueryPerformance: user.searchQueryPerformance === 1,
    searchQueryProductMax: user.searchQueryProductMax,
    channels: Number(channels),
    environment: config.environment,
    address: config.publicUrl,
    keys: keys.map((key, place) => ({
      keyId: key.keyId,
      name: key.name,
      hint: key.hint,
      limits: { perSecond: key.perSecond, burst: key.burst, perDay: key.perDay },
      createdAt: seconds(key.createdAt),
      lastUsedAt: secondsOrNull(key.lastUsedAt),
      ...bounds[place]!,
    })),
    administrators: isManager(role) ? [] : await administratorsOf(registry, signedIn),
    contact: config.contact ?? null,
  };
};

/** E-mail addresses of owners and administrators of the user's organisation. */
async function administratorsOf(
  { records }: Registry,
  { organisationId }: SignedIn,
): Promise<string[]> {
  const administrators = await records
    .selectFrom('userAccount')
    .select('email')
    .where('organisationId', '=', organisationId)
    .where('role', 'in', managerRoles)
    .orderBy('email')
    .limit(administratorsMax)
    .execute();
  return administrators.map(({ email }) => email);
}
