/** The password that a signed-in user enters again. */
import { confirmationSecondsMax } from '../contract/account.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Registry } from '../engine/registry.ts';
import { consumeConfirmation } from './attempts.ts';
import { type PasswordCost, verifyPassword } from './passwords.ts';
import type { RefusedAttempt } from './refusedAttempts.ts';
import type { SignedIn } from './sessions.ts';

/** Checks the password of the signed-in user, and returns the hash that it matches. Throws 403. */
export async function confirmSignedIn(
  {
    signedIn,
    registry,
    budgets,
    noteRefused,
    config,
  }: {
    readonly signedIn: SignedIn;
    readonly registry: Registry;
    readonly budgets: Budgets;
    readonly noteRefused: (attempt: Omit<RefusedAttempt, 'address'>) => void;
    readonly config: { readonly passwordCost?: PasswordCost | undefined };
  },
  password: string,
): Promise<string> {
  await consumeConfirmation({ budgets }, signedIn.userId);
  const user = await registry.records
    .selectFrom('userAccount')
    .select('passwordHash')
    .where('userId', '=', signedIn.userId)
    .executeTakeFirst();
  const passwordHash = user?.passwordHash ?? null;
  const { matches } = await verifyPassword(password, passwordHash, config.passwordCost);
  if (passwordHash === null || !matches) {
    noteRefused({ action: 'refusePassword', userId: signedIn.userId });
    throw wrongPassword();
  }
  return passwordHash;
}

/**
 * Throws 403 with `passwordRequired` when the password was entered too long ago for `purpose`, such
 * as "to see the key".
 */
export function requireConfirmed(
  { confirmedAt }: Pick<SignedIn, 'confirmedAt'>,
  now: number,
  purpose: string,
): void {
  if (confirmedAt + confirmationSecondsMax * 1000 <= now)
    throw new Refusal(403, `enter your password again ${purpose}`, {}, { passwordRequired: true });
}

/** Refuses a wrong password of a signed-in user. */
export function wrongPassword(): Refusal {
  return new Refusal(403, 'the password is wrong');
}
