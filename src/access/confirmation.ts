/** The password that a signed-in user enters again. */

import { confirmationSecondsMax } from '../contract/account.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Registry } from '../engine/registry.ts';
import { consumeConfirmation } from './attempts.ts';
import { type PasswordCost, verifyPassword } from './passwords.ts';
import { findOne } from './records.ts';
import type { RefusedAttempt } from './refusedAttempts.ts';
import { renewSession, type SignedIn, type Visitor } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/**
 * Checks the password of the signed-in user, gives the session another token, and returns the hash
 * that the password matches. Throws 403.
 */
export async function confirmSignedIn(
  context: {
    readonly signedIn: SignedIn;
    readonly registry: Registry;
    readonly budgets: Budgets;
    readonly visitor: Pick<Visitor, 'keep'>;
    readonly sessionTokens: Tokens;
    readonly now: () => number;
    readonly noteRefused: (attempt: Omit<RefusedAttempt, 'address'>) => void;
    readonly config: { readonly passwordCost?: PasswordCost | undefined };
  },
  password: string,
): Promise<string> {
  const { signedIn, registry, budgets, visitor, noteRefused, config } = context;
  await consumeConfirmation({ budgets }, signedIn.userId);
  const user = await findOne(registry.records, 'userAccount', { userId: signedIn.userId });
  const passwordHash = user?.passwordHash ?? null;
  const { matches } = await verifyPassword(password, passwordHash, config.passwordCost);
  if (passwordHash === null || !matches) {
    noteRefused({ action: 'refusePassword', userId: signedIn.userId });
    throw wrongPassword();
  }
  visitor.keep(await renewSession(registry.records, context, signedIn.sessionId));
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
