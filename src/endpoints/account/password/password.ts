import { confirmSignedIn, wrongPassword } from '../../../access/confirmation.ts';
import { endLinks } from '../../../access/passwordLinks.ts';
import { refuseGuessable } from '../../../access/passwordStrength.ts';
import { hashPassword } from '../../../access/passwords.ts';
import { change } from '../../../access/records.ts';
import { endSessions, sessionAnswer } from '../../../access/sessions.ts';
import type { Handler } from '../../handler.ts';
import type { changePassword as contract } from './contract.ts';

/** Changes the password, which ends all other sessions and a pending link. */
export const changePassword: Handler<typeof contract> = async (
  { password, newPassword },
  context,
) => {
  const previousHash = await confirmSignedIn(context, password);
  await refuseGuessable(context, 'newPassword', newPassword, context.signedIn);
  const passwordHash = await hashPassword(newPassword, context.config.passwordCost);
  const { signedIn, config, now } = context;
  const { userId, sessionId } = signedIn;
  await change(context, async (transaction, audit) => {
    const { numUpdatedRows } = await transaction
      .updateTable('userAccount')
      .set({ passwordHash })
      .where('userId', '=', userId)
      .where('passwordHash', '=', previousHash)
      .executeTakeFirst();
    // Another request changed it in the meantime.
    if (numUpdatedRows === 0n) throw wrongPassword();
    await endLinks(transaction, userId);
    const sessions = await endSessions(transaction, userId, sessionId);
    await audit({ action: 'changePassword', subject: userId, detail: { sessions } });
  });
  return sessionAnswer(config, { ...signedIn, confirmedAt: now() });
};
