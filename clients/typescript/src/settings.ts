/** The settings of a client, and its timers. */

/** Timers and chance; a test replaces them and never waits. */
export type Clock = {
  /** The present, in epoch milliseconds. */
  now(): number;
  /** Resolves after a time in milliseconds; rejects with the reason of the signal if it aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after a time in milliseconds. */
  timeout(milliseconds: number): AbortSignal;
  /** A number from 0 up to 1. */
  random(): number;
};

/** A note about an answer, for logs and metrics. */
export type AnswerNote = {
  readonly operation: string;
  readonly status: number;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** The fields of the input that the service does not know. */
  readonly ignored: readonly string[];
  readonly headers: Headers;
};

/** The settings of a client. */
export type Settings = {
  /** The address of the service, such as https://vitrine.example.com. */
  readonly url: string;
  /** The API key. */
  readonly key: string;
  /** The most attempts of a request; 5 by default. */
  readonly attemptsMax?: number;
  /** The longest wait for `Retry-After`, 60 by default; an error that names more is thrown. */
  readonly waitSecondsMax?: number;
  /** The time limit for an answer; 60,000 by default. */
  readonly timeoutMilliseconds?: number;
  /** The most answers to cache, to check by their ETag whether they have changed; 0 by default. */
  readonly keptAnswersMax?: number;
  /** Whether the service refuses fields that it does not know; false by default. */
  readonly strict?: boolean;
  /** Called with each answer, refusals included. What it throws ends the call. */
  readonly onAnswer?: (note: AnswerNote) => unknown;
  /** Sends a request; the `fetch` of the platform by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** The timers of the platform by default. */
  readonly clock?: Clock;
};

/** The clock of the platform. */
export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
