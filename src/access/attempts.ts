/** Limits on attempts to sign in and to use links; all nodes count together. */
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal, retryAfterSeconds } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Devices } from './devices.ts';
import type { Visitor } from './sessions.ts';

type Attempt = {
  readonly budgets: Budgets;
  readonly hashOf: (text: string) => string;
  readonly visitor: Visitor;
};
type AttemptLimit = { readonly name: string; readonly max: number; readonly seconds: number };

const quarterHourSeconds = 900;
/** The most failures of a network in a quarter of an hour, whatever it tried. */
const failuresMax = 300;
const blockedMax = 10_000;

/**
 * Consumes one attempt to sign in. A browser that the user has signed in with before has a budget
 * of its own, so that strangers cannot lock the user out. Attempts that exceed the limit of their
 * address do not count against the account.
 */
export function consumeSignIn(
  { budgets, hashOf, visitor, devices }: Attempt & { readonly devices: Devices },
  email: string,
): Promise<void> {
  const device = devices.idOf(visitor.device, email);
  if (device !== undefined) {
    const name = `signIn:device:${hashOf(device)}`;
    return consume(budgets, [{ name, max: 20, seconds: quarterHourSeconds }]);
  }
  const network = networkOf(visitor.address);
  return consume(budgets, [
    { name: `signIn:address:${hashOf(network)}`, max: 100, seconds: quarterHourSeconds },
    { name: `signIn:both:${hashOf(`${network} ${email}`)}`, max: 10, seconds: quarterHourSeconds },
    { name: `signIn:email:${hashOf(email)}`, max: 200, seconds: quarterHourSeconds },
  ]);
}

/** Consumes one attempt of a signed-in user to enter the password again. */
export function consumeConfirmation(
  { budgets }: Pick<Attempt, 'budgets'>,
  userId: string,
): Promise<void> {
  return consume(budgets, [
    { name: `confirmPassword:${userId}`, max: 10, seconds: quarterHourSeconds },
  ]);
}

/** Consumes one attempt to enter a code of the second factor. */
export function consumeCode({ budgets }: Pick<Attempt, 'budgets'>, userId: string): Promise<void> {
  return consume(budgets, [{ name: `code:${userId}`, max: 10, seconds: quarterHourSeconds }]);
}

/** Consumes one invitation of a signed-in user, or a new link for one. */
export function consumeInvitation(
  { budgets }: Pick<Attempt, 'budgets'>,
  userId: string,
): Promise<void> {
  return consume(budgets, [{ name: `invite:${userId}`, max: 30, seconds: quarterHourSeconds }]);
}

/** Consumes one attempt to use a password link. */
export function consumeLinkAttempt({ budgets, hashOf, visitor }: Attempt): Promise<void> {
  const name = `passwordLink:${hashOf(networkOf(visitor.address))}`;
  return consume(budgets, [{ name, max: 30, seconds: quarterHourSeconds }]);
}

/** Counts a failed attempt of an address; throws 429 when its network has had too many. */
export type CountFailure = (address: string) => Promise<void>;

/**
 * Counts wrong keys, operator tokens and passwords of a network together. Only failures are counted
 * and refused, so a right key of the same network is always admitted. `now` is in milliseconds.
 */
export function countFailures(
  { budgets, hashOf }: Omit<Attempt, 'visitor'>,
  now: () => number,
): CountFailure {
  // Networks that have used their failures up; they cost the shared store nothing more.
  const blocked = new Map<string, number>();
  return async (address) => {
    const network = networkOf(address);
    const left = (blocked.get(network) ?? 0) - now();
    if (left > 0) throw tooMany(left);
    const name = `failure:${hashOf(network)}`;
    const { spent, millisecondsLeft } = await budgets.consume(name, quarterHourSeconds);
    blocked.delete(network);
    if (spent <= failuresMax) return;
    if (blocked.size >= blockedMax) blocked.delete(blocked.keys().next().value!);
    blocked.set(network, now() + millisecondsLeft);
    throw tooMany(millisecondsLeft);
  };
}

/**
 * The network that an address belongs to. Of an IPv6 address that is the first half: one customer
 * commonly has a whole /64 network. Proxies may add a port, which changes nothing; all texts that
 * are no address count as one.
 */
export function networkOf(text: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  const last = address.slice(address.lastIndexOf(':') + 1);
  // An IPv4 address, plain or mapped into IPv6.
  if (isIPv4(last)) return last;
  if (!isIPv6(address)) return 'unknown';
  const [front = [], back = []] = address
    .split('%', 1)[0]!
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const omitted = Array(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...omitted, ...back].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** Consumes from each budget in turn; throws 429 at the first that is used up. */
async function consume(budgets: Budgets, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { name, max, seconds } of limits) {
    const { spent, millisecondsLeft } = await budgets.consume(name, seconds);
    if (spent <= max) continue;
    throw tooMany(millisecondsLeft);
  }
}

function tooMany(millisecondsLeft: number): Refusal {
  const wait = retryAfterSeconds(millisecondsLeft);
  return new Refusal(429, `too many attempts: try again in ${inWords(wait)}`, {
    'retry-after': String(wait),
  });
}

function inWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
