import { consumeLinkAttempt } from '../../../access/attempts.ts';
import { consumeLink, findLink } from '../../../access/passwordLinks.ts';
import { refuseGuessable } from '../../../access/passwordStrength.ts';
import { hashPassword } from '../../../access/passwords.ts';
import { change, changeOne, seconds } from '../../../access/records.ts';
import { requireCode } from '../../../access/secondFactor.ts';
import { beginSession, endSessions, sessionAnswer } from '../../../access/sessions.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Reads the purpose and the user of a link. */
export const readPasswordLink: Handler<typeof contracts.readPasswordLink> = async (
  { token },
  context,
) => {
  await consumeLinkAttempt(context);
  const { purpose, email, organisation, expiresAt } = await findNoted(context, token);
  return { purpose, email, organisation, expiresAt: seconds(expiresAt) };
};

/** Sets the password by a link, and signs the user in. */
export const usePasswordLink: Handler<typeof contracts.usePasswordLink> = async (
  { token, newPassword, code },
  context,
) => {
  await consumeLinkAttempt(context);
  const link = await findNoted(context, token);
  await refuseGuessable(context, 'newPassword', newPassword, link);
  const hasSecondFactor = await requireCode(context, link, code);
  const passwordHash = await hashPassword(newPassword, context.config.passwordCost);
  const { now, visitor, devices } = context;
  const { userId, purpose } = link;
  const begun = await change({ ...context, actor: userId }, async (transaction, audit) => {
    // The user first, as in every change of a password: so no two changes deadlock.
    await changeOne(transaction, 'userAccount', { userId }, { passwordHash });
    await consumeLink(transaction, link.lookup, now());
    const sessions = await endSessions(transaction, userId);
    await audit({ action: 'usePasswordLink', subject: userId, detail: { purpose, sessions } });
    return beginSession(transaction, context, userId);
  });
  visitor.keep(begun);
  visitor.keepDevice(devices.mint(link.email));
  return sessionAnswer(context.config, { ...link, confirmedAt: now(), hasSecondFactor });
};

/** Finds a link; counts the attempt if there is none. */
function findNoted(context: Context<'open'>, token: string) {
  return findLink(context, token).catch((error: unknown) => {
    if (error instanceof Refusal) context.noteRefused({ action: 'refusePasswordLink' });
    throw error;
  });
}
