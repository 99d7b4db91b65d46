import { consumeSignIn } from '../../../access/attempts.ts';
import { confirmSignedIn } from '../../../access/confirmation.ts';
import { hashPassword, verifyPassword } from '../../../access/passwords.ts';
import { change } from '../../../access/records.ts';
import { requireCode } from '../../../access/secondFactor.ts';
import { beginSession, sessionAnswer } from '../../../access/sessions.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/**
 * Begins a session. An unknown user, a user without a password and a wrong password get the same
 * answer after the same work.
 */
export const signIn: Handler<typeof contracts.signIn> = async (
  { email, password, code },
  context,
) => {
  await consumeSignIn(context, email);
  const { registry, now, visitor, devices, noteRefused } = context;
  const { passwordCost } = context.config;
  const user = await registry.records
    .selectFrom('userAccount')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.userId', 'userAccount.role', 'userAccount.email'])
    .select(['userAccount.name', 'userAccount.passwordHash'])
    .select('organisation.name as organisation')
    .where('userAccount.email', '=', email)
    .executeTakeFirst();
  const { matches, isOutdated } = await verifyPassword(
    password,
    user?.passwordHash ?? null,
    passwordCost,
  );
  if (user === undefined || !matches) {
    noteRefused({ action: 'refuseSignIn', userId: user?.userId });
    await context.countFailure();
    throw wrong();
  }
  const hasSecondFactor = await requireCode(context, user, code);
  const { userId } = user;
  const passwordHash = isOutdated ? await hashPassword(password, passwordCost) : user.passwordHash;
  const token = await change({ ...context, actor: userId }, async (transaction, audit) => {
    // Written even if it stays the same. So a simultaneous change of the password either waits and
    // then ends this session, or makes this sign-in fail.
    const { numUpdatedRows } = await transaction
      .updateTable('userAccount')
      .set({ passwordHash })
      .where('userId', '=', userId)
      .where('passwordHash', '=', user.passwordHash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw wrong();
    const begun = await beginSession(transaction, context, userId);
    await audit({ action: 'signIn', subject: userId, detail: {} });
    return begun;
  });
  visitor.keep(token);
  if (devices.idOf(visitor.device, email) === undefined) visitor.keepDevice(devices.mint(email));
  return sessionAnswer(context.config, { ...user, confirmedAt: now(), hasSecondFactor });
};

/** Reads the session of the browser. */
export const readSession: Handler<typeof contracts.readSession> = async (
  _input,
  { signedIn, config },
) => sessionAnswer(config, signedIn);

/** Ends the session of the browser. */
export const signOut: Handler<typeof contracts.signOut> = async (
  _input,
  { signedIn, registry, visitor },
) => {
  await registry.records
    .deleteFrom('session')
    .where('sessionId', '=', signedIn.sessionId)
    .execute();
  visitor.drop();
};

/** Checks the password again; for a while, the user may then do what requires it. */
export const confirmPassword: Handler<typeof contracts.confirmPassword> = async (
  { password },
  context,
) => {
  await confirmSignedIn(context, password);
  const { signedIn, config, now } = context;
  return sessionAnswer(config, { ...signedIn, confirmedAt: now() });
};

function wrong(): Refusal {
  return new Refusal(401, 'the e-mail address or the password is wrong');
}
