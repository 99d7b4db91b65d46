/** Sign-in, and what else is done with a password. */

import { hashPassword, verifyPassword } from '../../access/passwords.ts';
import { Refusal } from '../../contract/refusal.ts';
import { writeAudit } from '../../engine/registry.ts';
import { spendConfirmation, spendSignIn } from './attempts.ts';
import type { accountContracts as contracts } from './contracts.ts';
import type { AccountContext, OpenHandler, SignedInHandler } from './handler.ts';
import { endLinks } from './links.ts';
import { answerOf, beginSession, endSessions, type SignedIn } from './sessions.ts';

type Contracts = typeof contracts;

/** Begins a session. Somebody unknown, somebody without a password and a wrong password are answered alike, after the same work. */
export const signIn: OpenHandler<Contracts['signIn']> = async ({ email, password }, context) => {
  await spendSignIn(context, email);
  const { registry, commit, now, visitor } = context;
  const user = await registry.records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select([
      'userAccount.userId',
      'userAccount.role',
      'userAccount.email',
      'userAccount.passwordHash',
      'organisation.name as organisation',
    ])
    .where('userAccount.email', '=', email)
    .executeTakeFirst();
  const { matches, isOutdated } = await verifyPassword(password, user?.passwordHash ?? null);
  if (user === undefined || !matches) throw wrong();
  const passwordHash = isOutdated ? await hashPassword(password) : user.passwordHash;
  const token = await commit(async (transaction) => {
    // Written even where it stays the same: whoever changes the password at this moment is waited for, and ends this session or is heard of.
    const { numUpdatedRows } = await transaction
      .updateTable('userAccount')
      .set({ passwordHash })
      .where('userId', '=', user.userId)
      .where('passwordHash', '=', user.passwordHash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw wrong();
    const begun = await beginSession(transaction, context, user.userId);
    await writeAudit(transaction, now(), user.userId, {
      action: 'signIn',
      subject: user.userId,
      detail: {},
    });
    return begun;
  });
  visitor.keep(token);
  return answerOf({ ...user, confirmedAt: now() });
};

/** Takes the password once more, after which a key may be revealed for a while. */
export const confirmPassword: SignedInHandler<Contracts['confirmPassword']> = async (
  { password },
  context,
) => {
  await verifyAgain(context, password);
  const { signedIn, registry, now } = context;
  const confirmedAt = now();
  await registry.records
    .updateTable('session')
    .set({ confirmedAt })
    .where('sessionId', '=', signedIn.sessionId)
    .execute();
  return answerOf({ ...signedIn, confirmedAt });
};

/** Changes the password, which ends all other sessions and a link that is still out. */
export const changePassword: SignedInHandler<Contracts['changePassword']> = async (
  { password, newPassword },
  context,
) => {
  const kept = await verifyAgain(context, password);
  const passwordHash = await hashPassword(newPassword);
  const { signedIn, commit, now } = context;
  const { userId, sessionId } = signedIn;
  const confirmedAt = now();
  await commit(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('userAccount')
      .set({ passwordHash })
      .where('userId', '=', userId)
      .where('passwordHash', '=', kept)
      .executeTakeFirst();
    // Somebody else has changed it since.
    if (numUpdatedRows === 0n) throw wrongAgain();
    await endLinks(transaction, userId);
    const sessions = await endSessions(transaction, userId, sessionId);
    await transaction
      .updateTable('session')
      .set({ confirmedAt })
      .where('sessionId', '=', sessionId)
      .execute();
    await writeAudit(transaction, now(), userId, {
      action: 'changePassword',
      subject: userId,
      detail: { sessions },
    });
  });
  return answerOf({ ...signedIn, confirmedAt });
};

/** Verifies the password of who is signed in, and returns the hash that it matches. */
async function verifyAgain(
  context: AccountContext & { readonly signedIn: SignedIn },
  password: string,
): Promise<string> {
  const { signedIn, registry } = context;
  await spendConfirmation(context, signedIn.userId);
  const user = await registry.records
    .selectFrom('userAccount')
    .select('passwordHash')
    .where('userId', '=', signedIn.userId)
    .executeTakeFirst();
  const kept = user?.passwordHash ?? null;
  const { matches } = await verifyPassword(password, kept);
  if (kept === null || !matches) throw wrongAgain();
  return kept;
}

function wrong(): Refusal {
  return new Refusal(401, 'the e-mail address or the password is wrong');
}

function wrongAgain(): Refusal {
  return new Refusal(403, 'the password is wrong');
}
