/** The rate and the volume of a key: what it may do in a short window and in a day of UTC, and how the client is told. */
import { Refusal } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Caller } from './channels.ts';

const secondsPerDay = 86_400;

/** The window in which a burst is counted: as long as the rate takes to allow as much. */
export type BurstWindow = { readonly requests: number; readonly seconds: number };

/**
 * The window that holds both promises of a key: `burst` requests at once, and `perSecond` in the long run. Where the burst is no whole
 * number of seconds' worth, a little more than it is allowed at once, and never less than the rate.
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
  /** Spends one request of the caller's key. */
  readonly consume: (caller: Caller) => Promise<Allowance>;
};

/** How a key stands after a request. */
export type Allowance = {
  readonly headers: { readonly 'ratelimit-policy': string; readonly ratelimit: string };
  /** The refusal of a request that is one too many. */
  readonly refusal: Refusal | undefined;
};

/** Spends from `budgets`; `usedToday` says what a key had used of the day before this node knew. `now` is in epoch milliseconds. */
export function createRateLimits(
  budgets: Budgets,
  usedToday: (keyId: string, day: number) => Promise<number>,
  now: () => number,
): RateLimits {
  return {
    async consume({ keyId, limits: { perDay, ...rate } }) {
      const window = burstWindow(rate);
      const policy = `"burst";q=${window.requests};w=${window.seconds}, "day";q=${perDay};w=${secondsPerDay}`;
      const burst = await budgets.consume(`burst:${keyId}`, window.seconds);
      // Told in whole seconds, upwards, so that who waits as long as it is told is let in.
      const burstReset = Math.max(1, Math.ceil(burst.millisecondsLeft / 1000));
      const burstLeft = `"burst";r=${Math.max(0, window.requests - burst.spent)};t=${burstReset}`;
      if (burst.spent > window.requests) {
        // What is refused for its haste costs nothing of the day.
        return standing(
          policy,
          burstLeft,
          tooMany('the key sends requests faster than it may', burstReset),
        );
      }
      const seconds = Math.floor(now() / 1000);
      const today = Math.floor(seconds / secondsPerDay);
      const dayReset = secondsPerDay - (seconds % secondsPerDay);
      const day = await budgets.consume(`day:${today}:${keyId}`, dayReset, () =>
        usedToday(keyId, today),
      );
      const left = `${burstLeft}, "day";r=${Math.max(0, perDay - day.spent)};t=${dayReset}`;
      return standing(
        policy,
        left,
        day.spent > perDay
          ? tooMany('the key has used up its requests of this day', dayReset)
          : undefined,
      );
    },
  };
}

function standing(policy: string, left: string, refusal: Refusal | undefined): Allowance {
  return { headers: { 'ratelimit-policy': policy, ratelimit: left }, refusal };
}

function tooMany(reason: string, retryAfterSeconds: number): Refusal {
  return new Refusal(
    429,
    `${reason}: try again in ${retryAfterSeconds} s, or ask the operator of the service for more`,
    {
      'retry-after': String(retryAfterSeconds),
    },
  );
}
