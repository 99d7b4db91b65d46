/** Sessions of the account pages in the registry. */
import { randomUUID } from 'node:crypto';
import type { Config, SessionDays } from '../config.ts';
import { confirmationSecondsMax, type Session } from '../contract/account.ts';
import { Refusal } from '../contract/refusal.ts';
import type { RecordsTransaction, Registry, UserRecord } from '../engine/registry.ts';
import type { Caller } from './channels.ts';
import type { RecordsOrTransaction } from './records.ts';
import type { Tokens } from './tokens.ts';

const millisecondsPerDay = 86_400_000;
const seenEveryMilliseconds = 60_000;
/** A further session ends the least recently used one. */
const sessionsOfUserMax = 50;

/** Begins the identifier that a session has in place of a key's when it reads data. */
export const sessionPrefix = 'session:';

/** The key by which a caller makes records; null for the console. */
export function storedKeyOf({ keyId }: Pick<Caller, 'keyId'>): string | null {
  return keyId.startsWith(sessionPrefix) ? null : keyId;
}

/** The browser that sends a request. */
export type Visitor = {
  /** The IP address; only refused attempts are stored with it. */
  readonly address: string;
  /** Short name of browser and system. */
  readonly browser: string;
  /** The session token that the browser holds. */
  readonly token: string | undefined;
  /** The token of a browser that has signed in before. */
  readonly device: string | undefined;
  /** Gives the browser that token. */
  readonly keepDevice: (token: string) => void;
  /** Gives the browser the token of another session. */
  readonly keep: (token: string) => void;
  /** Deletes the token from the browser. */
  readonly drop: () => void;
};

/** The signed-in user, read again for each request. */
export type SignedIn = Pick<UserRecord, 'userId' | 'organisationId' | 'email' | 'name' | 'role'> & {
  readonly sessionId: string;
  /** When the password was last entered, in epoch milliseconds. */
  readonly confirmedAt: number;
  readonly organisation: string;
  readonly hasSecondFactor: boolean;
};

type SessionContext = {
  readonly visitor: Visitor;
  readonly sessionTokens: Tokens;
  readonly now: () => number;
};

/** Finds the session of a browser, and records that it was used; undefined when it has none. */
export async function findSession({
  registry,
  visitor,
  sessionTokens,
  sessionDays,
  now: clock,
}: SessionContext & { readonly registry: Registry; readonly sessionDays: SessionDays }): Promise<
  SignedIn | undefined
> {
  const lookup = visitor.token === undefined ? undefined : sessionTokens.lookupOf(visitor.token);
  if (lookup === undefined) return undefined;
  const now = clock();
  const found = await validSessions(registry, sessionDays, now)
    .innerJoin('userAccount', 'userAccount.userId', 'session.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .leftJoin('secondFactor', 'secondFactor.userId', 'userAccount.userId')
    .select(['session.sessionId', 'session.confirmedAt', 'session.lastSeenAt'])
    .select(['organisation.name as organisation', 'secondFactor.confirmedAt as factorSince'])
    .select(['userAccount.userId', 'userAccount.organisationId'])
    .select(['userAccount.email', 'userAccount.name', 'userAccount.role'])
    .where('session.lookup', '=', lookup)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { lastSeenAt, factorSince, ...signedIn } = found;
  if (lastSeenAt + seenEveryMilliseconds <= now) {
    await registry.records
      .updateTable('session')
      .set({ lastSeenAt: now })
      .where('sessionId', '=', found.sessionId)
      .execute();
  }
  return { ...signedIn, hasSecondFactor: factorSince !== null };
}

/** The sessions that have not expired. `now` is in epoch milliseconds. */
export function validSessions(
  { records }: Pick<Registry, 'records'>,
  { sessionDays, sessionIdleDays }: SessionDays,
  now: number,
) {
  return records
    .selectFrom('session')
    .where('session.lastSeenAt', '>', now - sessionIdleDays * millisecondsPerDay)
    .where('session.createdAt', '>', now - sessionDays * millisecondsPerDay);
}

/**
 * Begins a session in place of the one that the browser holds. Returns its token, which the browser
 * gets once the transaction is committed.
 */
export async function beginSession(
  transaction: RecordsTransaction,
  { visitor, sessionTokens, now }: SessionContext,
  userId: string,
): Promise<string> {
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
    .updateTable('userAccount')
    .set({ lastSignInAt: at })
    .where('userId', '=', userId)
    .execute();
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

/**
 * Replaces the token of a session, which somebody else may have, once the password or a first code
 * has been entered. Returns the new one, which the browser gets once the change is committed.
 * Throws 401 when the session has ended in the meantime.
 */
export async function renewSession(
  records: RecordsOrTransaction,
  { sessionTokens, now }: Pick<SessionContext, 'sessionTokens' | 'now'>,
  sessionId: string,
): Promise<string> {
  const { token, lookup } = sessionTokens.mint();
  const { numUpdatedRows } = await records
    .updateTable('session')
    .set({ lookup, confirmedAt: now() })
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw signedOut();
  return token;
}

/** Refuses a visitor without a session. */
export function signedOut(): Refusal {
  return new Refusal(401, 'sign in first');
}

/** Ends the sessions of a user, except one if it is named; returns how many ended. */
export async function endSessions(
  transaction: RecordsTransaction,
  userId: string,
  except?: string,
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('session')
    .where('userId', '=', userId)
    .$if(except !== undefined, (query) => query.where('sessionId', '!=', except!))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes expired sessions. `now` is in epoch milliseconds. */
export async function pruneSessions(
  { records }: Registry,
  { sessionDays, sessionIdleDays }: SessionDays,
  now: number,
): Promise<void> {
  await records
    .deleteFrom('session')
    .where(({ eb, or }) =>
      or([
        eb('lastSeenAt', '<=', now - sessionIdleDays * millisecondsPerDay),
        eb('createdAt', '<=', now - sessionDays * millisecondsPerDay),
      ]),
    )
    .execute();
}

/** Whether a user must set up a second factor before anything else is answered. */
export function needsSecondFactor(
  { requiresSecondFactor }: Pick<Config, 'requiresSecondFactor'>,
  { hasSecondFactor }: Pick<SignedIn, 'hasSecondFactor'>,
): boolean {
  return requiresSecondFactor && !hasSecondFactor;
}

/** A session as the account pages receive it. */
export function sessionAnswer(
  config: Pick<Config, 'requiresSecondFactor'>,
  signedIn: Omit<SignedIn, 'sessionId' | 'organisationId'>,
): Session {
  const { userId, email, name, role, organisation, confirmedAt } = signedIn;
  return {
    userId,
    email,
    name,
    role,
    organisation,
    confirmedUntil: Math.floor(confirmedAt / 1000) + confirmationSecondsMax,
    needsSecondFactor: needsSecondFactor(config, signedIn),
  };
}
