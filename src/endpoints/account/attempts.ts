/** How often passwords and links may be tried, whatever comes of it. Nodes count together. */
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal } from '../../contract/refusal.ts';
import type { AccountContext } from './handler.ts';

type Attempts = Pick<AccountContext, 'budgets' | 'hashOf' | 'visitor'>;
type Allowance = { readonly name: string; readonly most: number; readonly seconds: number };

const quarterHourSeconds = 900;

/** Spends a sign-in. Of one address's attempts only those that it may make count towards what all may make on an account. */
export function spendSignIn({ budgets, hashOf, visitor }: Attempts, email: string): Promise<void> {
  const network = networkOf(visitor.address);
  return spend(budgets, [
    { name: `signIn:address:${hashOf(network)}`, most: 100, seconds: quarterHourSeconds },
    { name: `signIn:both:${hashOf(`${network} ${email}`)}`, most: 10, seconds: quarterHourSeconds },
    { name: `signIn:email:${hashOf(email)}`, most: 50, seconds: 3_600 },
  ]);
}

/** Spends a password that somebody who is signed in enters once more. */
export function spendConfirmation({ budgets }: Attempts, userId: string): Promise<void> {
  return spend(budgets, [
    { name: `confirmPassword:${userId}`, most: 10, seconds: quarterHourSeconds },
  ]);
}

/** Spends a link that is followed. */
export function spendLink({ budgets, hashOf, visitor }: Attempts): Promise<void> {
  return spend(budgets, [
    {
      name: `passwordLink:${hashOf(networkOf(visitor.address))}`,
      most: 30,
      seconds: quarterHourSeconds,
    },
  ]);
}

/**
 * What counts as one address. Of IPv6 that is the first half, which names a network: whoever has one has as many addresses in it as there
 * could be attempts.
 */
export function networkOf(address: string): string {
  const last = address.slice(address.lastIndexOf(':') + 1);
  // An address of IPv4, as it comes in or as IPv6 writes it.
  if (isIPv4(last)) return last;
  if (!isIPv6(address)) return address;
  const [front = [], back = []] = address
    .split('%', 1)[0]!
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const leftOut = Array(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...leftOut, ...back].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** Spends of each in turn, and throws 429 at the first that is used up. */
async function spend(
  budgets: Attempts['budgets'],
  allowances: readonly Allowance[],
): Promise<void> {
  for (const { name, most, seconds } of allowances) {
    const { spent, millisecondsLeft } = await budgets.consume(name, seconds);
    if (spent <= most) continue;
    const wait = Math.max(1, Math.ceil(millisecondsLeft / 1000));
    throw new Refusal(429, `too many attempts: try again in ${inWords(wait)}`, {
      'retry-after': String(wait),
    });
  }
}

function inWords(wait: number): string {
  if (wait < 60) return `${wait} s`;
  const minutes = Math.ceil(wait / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
