/** Sessions of the account pages: begun, found by their token, listed and ended. */
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../contract/refusal.ts';
import {
  type RecordsTransaction,
  type Registry,
  type UserRecord,
  writeAudit,
} from '../../engine/registry.ts';
import {
  confirmationSecondsMax,
  type accountContracts as contracts,
  type Session,
} from './contracts.ts';
import {
  type AccountContext,
  millisecondsPerDay,
  type SignedInHandler,
  seconds,
} from './handler.ts';

type Contracts = typeof contracts;

/** A session that is not used for so long ends. */
const idleMilliseconds = 7 * millisecondsPerDay;
/** A session ends at the latest after so long. */
export const sessionSecondsMax = 30 * 86_400;
const seenEveryMilliseconds = 60_000;
/** Where one more is begun, that which was seen longest ago ends. */
const sessionsOfUserMax = 50;

/** Who is signed in, read anew for each call. */
export type SignedIn = Pick<UserRecord, 'userId' | 'organisationId' | 'email' | 'role'> & {
  readonly sessionId: string;
  readonly confirmedAt: number;
  readonly organisation: string;
};

/** The session whose token the browser holds, undefined where there is none any more; notes that it was seen. */
export async function findSession(context: AccountContext): Promise<SignedIn | undefined> {
  const { registry, visitor, sessionTokens } = context;
  const lookup = visitor.token === undefined ? undefined : sessionTokens.lookupOf(visitor.token);
  if (lookup === undefined) return undefined;
  const now = context.now();
  const found = await lasting(registry, now)
    .innerJoin('userAccount', 'userAccount.userId', 'session.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select([
      'session.sessionId',
      'session.confirmedAt',
      'session.lastSeenAt',
      'organisation.name as organisation',
    ])
    .select([
      'userAccount.userId',
      'userAccount.organisationId',
      'userAccount.email',
      'userAccount.role',
    ])
    .where('session.lookup', '=', lookup)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { lastSeenAt, ...signedIn } = found;
  if (lastSeenAt + seenEveryMilliseconds <= now) {
    await registry.records
      .updateTable('session')
      .set({ lastSeenAt: now })
      .where('sessionId', '=', found.sessionId)
      .execute();
  }
  return signedIn;
}

/** The sessions that have not come to their end. */
function lasting({ records }: Pick<Registry, 'records'>, now: number) {
  return records
    .selectFrom('session')
    .where('session.lastSeenAt', '>', now - idleMilliseconds)
    .where('session.createdAt', '>', now - sessionSecondsMax * 1000);
}

/** Begins a session in place of the one that the browser holds; the token is for the browser, once the transaction is committed. */
export async function beginSession(
  transaction: RecordsTransaction,
  context: AccountContext,
  userId: string,
): Promise<string> {
  const { visitor, sessionTokens, now } = context;
  const before = visitor.token === undefined ? undefined : sessionTokens.lookupOf(visitor.token);
  if (before !== undefined)
    await transaction.deleteFrom('session').where('lookup', '=', before).execute();
  await transaction
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('sessionId', 'not in', ({ selectFrom }) =>
      selectFrom('session')
        .select('sessionId')
        .where('userId', '=', userId)
        .orderBy('lastSeenAt', 'desc')
        .orderBy('sessionId')
        .limit(sessionsOfUserMax - 1),
    )
    .execute();
  const { token, lookup } = sessionTokens.mint();
  const at = now();
  await transaction
    .insertInto('session')
    .values({
      sessionId: randomUUID(),
      userId,
      lookup,
      browser: visitor.browser,
      createdAt: at,
      lastSeenAt: at,
      confirmedAt: at,
    })
    .execute();
  return token;
}

/** Ends the sessions of a user, but for one that may be named; says how many there were. */
export async function endSessions(
  transaction: RecordsTransaction,
  userId: string,
  but?: string,
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('session')
    .where('userId', '=', userId)
    .$if(but !== undefined, (query) => query.where('sessionId', '!=', but!))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Forgets sessions that have come to their end. `now` is in epoch milliseconds. */
export async function pruneSessions({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('session')
    .where(({ eb, or }) =>
      or([
        eb('lastSeenAt', '<=', now - idleMilliseconds),
        eb('createdAt', '<=', now - sessionSecondsMax * 1000),
      ]),
    )
    .execute();
}

/** What is answered of a session. */
export function answerOf({
  userId,
  email,
  role,
  organisation,
  confirmedAt,
}: Omit<SignedIn, 'sessionId' | 'organisationId'>): Session {
  return {
    userId,
    email,
    role,
    organisation,
    confirmedUntil: seconds(confirmedAt) + confirmationSecondsMax,
  };
}

/** Reads who is signed in. */
export const readSession: SignedInHandler<Contracts['readSession']> = async (
  _asked,
  { signedIn },
) => answerOf(signedIn);

/** Ends the session by which is asked. */
export const signOut: SignedInHandler<Contracts['signOut']> = async (
  _asked,
  { signedIn, registry, visitor },
) => {
  await registry.records
    .deleteFrom('session')
    .where('sessionId', '=', signedIn.sessionId)
    .execute();
  visitor.drop();
};

/** Lists where the user is signed in. */
export const listSessions: SignedInHandler<Contracts['listSessions']> = async (
  _asked,
  { signedIn, registry, now },
) => {
  const found = await lasting(registry, now())
    .selectAll()
    .where('userId', '=', signedIn.userId)
    .orderBy('lastSeenAt', 'desc')
    .execute();
  const sessions = found.map(({ sessionId, browser, createdAt, lastSeenAt }) => ({
    sessionId,
    browser,
    createdAt: seconds(createdAt),
    lastSeenAt: seconds(lastSeenAt),
    expiresAt: seconds(createdAt) + sessionSecondsMax,
    isCurrent: sessionId === signedIn.sessionId,
  }));
  return { sessions: sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) };
};

/** Ends one session of the user. */
export const endSession: SignedInHandler<Contracts['endSession']> = async (
  { sessionId },
  { signedIn, commit, now, visitor },
) => {
  await commit(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('session')
      .where('sessionId', '=', sessionId)
      .where('userId', '=', signedIn.userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal(404, 'there is no such session');
    await writeAudit(transaction, now(), signedIn.userId, {
      action: 'endSession',
      subject: signedIn.userId,
      detail: { sessionId },
    });
  });
  if (sessionId === signedIn.sessionId) visitor.drop();
};

/** Ends all sessions of the user but that by which is asked. */
export const endOtherSessions: SignedInHandler<Contracts['endOtherSessions']> = (
  _asked,
  { signedIn, commit, now },
) =>
  commit(async (transaction) => {
    const sessions = await endSessions(transaction, signedIn.userId, signedIn.sessionId);
    await writeAudit(transaction, now(), signedIn.userId, {
      action: 'endOtherSessions',
      subject: signedIn.userId,
      detail: { sessions },
    });
  });
