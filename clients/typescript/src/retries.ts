/** When a request is sent again. */
import type { RefusedError } from './errors.ts';

/** Statuses after which the same request may succeed. */
const repeatedStatuses: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);
const firstWaitMilliseconds = 1_000;

/** The seconds of a header Retry-After, which is a number or a date. */
export function secondsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/**
 * The wait before the next attempt in milliseconds, or undefined if there must be none: as long as
 * the service says, otherwise 1, 2, 4, 8 ... seconds, and in both cases a random part more, so that
 * clients that were refused together do not return together.
 */
export function waitBefore(
  attempt: number,
  refusal: Pick<RefusedError, 'status' | 'retryAfterSeconds'> | undefined,
  random: number,
  secondsMax: number,
): number | undefined {
  const backOff = firstWaitMilliseconds * 2 ** (attempt - 2);
  if (refusal === undefined) return backOff * (1 + random);
  const { status, retryAfterSeconds: seconds } = refusal;
  if (!repeatedStatuses.has(status)) return undefined;
  if (seconds === undefined) return status === 409 ? undefined : backOff * (1 + random);
  if (seconds > secondsMax) return undefined;
  return seconds * 1_000 + random * Math.max(firstWaitMilliseconds, (seconds * 1_000) / 4);
}
