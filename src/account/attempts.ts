/** How often passwords and links may be tried, whatever comes of it. Nodes count together. */
import { Refusal } from '../contract/refusal.ts';
import type { AccountContext } from './handler.ts';

type Attempts = Pick<AccountContext, 'budgets' | 'hashOf' | 'visitor'>;
type Allowance = { readonly name: string; readonly most: number; readonly seconds: number };

const quarterHourSeconds = 900;

/** Spends a sign-in. Of one address's attempts only those that it may make count towards what all may make on an account. */
export function spendSignIn({ budgets, hashOf, visitor }: Attempts, email: string): Promise<void> {
  return spend(budgets, [
    { name: `signIn:address:${hashOf(visitor.address)}`, most: 100, seconds: quarterHourSeconds },
    { name: `signIn:both:${hashOf(`${visitor.address} ${email}`)}`, most: 10, seconds: quarterHourSeconds },
    { name: `signIn:email:${hashOf(email)}`, most: 50, seconds: 3_600 },
  ]);
}

/** Spends a password that somebody who is signed in enters once more. */
export function spendConfirmation({ budgets }: Attempts, userId: string): Promise<void> {
  return spend(budgets, [{ name: `confirmPassword:${userId}`, most: 10, seconds: quarterHourSeconds }]);
}

/** Spends a link that is followed. */
export function spendLink({ budgets, hashOf, visitor }: Attempts): Promise<void> {
  return spend(budgets, [{ name: `passwordLink:${hashOf(visitor.address)}`, most: 30, seconds: quarterHourSeconds }]);
}

/** Spends of each in turn, and throws 429 at the first that is used up. */
async function spend(budgets: Attempts['budgets'], allowances: readonly Allowance[]): Promise<void> {
  for (const { name, most, seconds } of allowances) {
    const { spent, millisecondsLeft } = await budgets.spend(name, seconds);
    if (spent <= most) continue;
    const wait = Math.max(1, Math.ceil(millisecondsLeft / 1000));
    throw new Refusal(429, `too many attempts: try again in ${inWords(wait)}`, { 'retry-after': String(wait) });
  }
}

function inWords(wait: number): string {
  if (wait < 60) return `${wait} s`;
  const minutes = Math.ceil(wait / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
