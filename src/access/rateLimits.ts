/** Rate limits of a key: requests in a short window, and in a day of UTC. */
import { Refusal, retryAfterSeconds } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Caller } from './channels.ts';

const secondsPerDay = 86_400;

/** The window in which a burst is counted. */
export type BurstWindow = { readonly requests: number; readonly seconds: number };

/**
 * The window that allows `burst` requests at once and `perSecond` in the long run. A burst that is
 * not a whole number of seconds' worth is rounded up, and is never less than the rate.
 */
export function burstWindow({
  perSecond,
  burst,
}: Pick<Caller['limits'], 'perSecond' | 'burst'>): BurstWindow {
  const seconds = Math.max(1, Math.ceil(burst / perSecond));
  return { requests: perSecond * seconds, seconds };
}

/** Counts the requests of keys. */
export type RateLimits = {
  /** Consumes one request of the caller's key. */
  readonly consume: (caller: Caller) => Promise<Allowance>;
};

/** The budgets of a key after a request. */
export type Allowance = {
  readonly headers: { readonly 'ratelimit-policy': string; readonly ratelimit: string };
  /** Set when the request exceeds a limit. */
  readonly refusal: Refusal | undefined;
  /** Gives the request back to the day; returns the headers after it. */
  readonly refund: () => Promise<Allowance['headers']>;
};

/**
 * Consumes from `budgets`. `usedToday` reads how much of the day a budget had used before this node
 * started to count. `now` is in epoch milliseconds.
 */
export function createRateLimits(
  budgets: Budgets,
  usedToday: (budget: string, day: number) => Promise<number>,
  now: () => number,
): RateLimits {
  return {
    async consume({ budget, limits: { perDay, ...rate } }) {
      const window = burstWindow(rate);
      const policy = `"burst";q=${window.requests};w=${window.seconds}, "day";q=${perDay};w=${secondsPerDay}`;
      const burst = await budgets.consume(`burst:${budget}`, window.seconds);
      const burstReset = retryAfterSeconds(burst.millisecondsLeft);
      const seconds = Math.floor(now() / 1000);
      const today = Math.floor(seconds / secondsPerDay);
      const dayReset = secondsPerDay - (seconds % secondsPerDay);
      const dayName = `day:${today}:${budget}`;
      const allowance = (spentToday: number, refusal: Refusal | undefined): Allowance => {
        const burstLeft = `"burst";r=${Math.max(0, window.requests - burst.spent)};t=${burstReset}`;
        const dayLeft = `"day";r=${Math.max(0, perDay - spentToday)};t=${dayReset}`;
        const headers = { 'ratelimit-policy': policy, ratelimit: `${burstLeft}, ${dayLeft}` };
        const refund = async () => {
          await budgets.refund(dayName);
          return allowance(spentToday - 1, undefined).headers;
        };
        return { headers, refusal, refund };
      };
      if (burst.spent > window.requests) {
        // A request over the short limit does not consume from the day.
        const refusal = exceeded('the key sends requests faster than it may', burstReset);
        return allowance(await budgets.read(dayName), refusal);
      }
      const day = await budgets.consume(dayName, dayReset, () => usedToday(budget, today));
      const isUsedUp = day.spent > perDay;
      return allowance(
        day.spent,
        isUsedUp ? exceeded('the key has used up its requests of this day', dayReset) : undefined,
      );
    },
  };
}

function exceeded(reason: string, seconds: number): Refusal {
  return new Refusal(
    429,
    `${reason}: try again in ${seconds} s, or ask the operator of the service for more`,
    { 'retry-after': String(seconds) },
  );
}
