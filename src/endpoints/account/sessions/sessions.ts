import { requireConfirmed } from '../../../access/confirmation.ts';
import { change, removeOne, seconds } from '../../../access/records.ts';
import { endSessions, validSessions } from '../../../access/sessions.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

const secondsPerDay = 86_400;

/** Lists the sessions of the user, the current one first. */
export const listSessions: Handler<typeof contracts.listSessions> = async (
  _input,
  { signedIn, registry, sessionDays, now },
) => {
  const found = await validSessions(registry, sessionDays, now())
    .selectAll()
    .where('userId', '=', signedIn.userId)
    .orderBy('lastSeenAt', 'desc')
    .execute();
  const sessions = found.map(({ sessionId, browser, createdAt, lastSeenAt }) => ({
    sessionId,
    browser,
    createdAt: seconds(createdAt),
    lastSeenAt: seconds(lastSeenAt),
    expiresAt: seconds(createdAt) + sessionDays.sessionDays * secondsPerDay,
    isCurrent: sessionId === signedIn.sessionId,
  }));
  return { sessions: sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) };
};

/** Ends one session of the user. */
export const endSession: Handler<typeof contracts.endSession> = async ({ sessionId }, context) => {
  const { signedIn, visitor } = context;
  requireToEnd(context);
  await change(context, async (transaction, audit) => {
    await removeOne(transaction, 'session', { sessionId, userId: signedIn.userId });
    await audit({ action: 'endSession', subject: signedIn.userId, detail: { sessionId } });
  });
  if (sessionId === signedIn.sessionId) visitor.drop();
};

/** Ends all sessions of the user except the current one. */
export const endOtherSessions: Handler<typeof contracts.endOtherSessions> = async (
  _input,
  context,
) => {
  requireToEnd(context);
  await change(context, async (transaction, audit) => {
    const { userId, sessionId } = context.signedIn;
    const sessions = await endSessions(transaction, userId, sessionId);
    await audit({ action: 'endOtherSessions', subject: userId, detail: { sessions } });
  });
};

function requireToEnd({ signedIn, now }: Pick<Context<'session'>, 'signedIn' | 'now'>): void {
  requireConfirmed(signedIn, now(), 'to end sessions');
}
