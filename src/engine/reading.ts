/** The shared parts of both warehouses' reads: cancellation, and one stream at a time. */
import type { Clock } from './clock.ts';
import { DeadlineExceeded, RequestAbandoned } from './errors.ts';
import type { Ask, QueryLimits, Stream } from './warehouse.ts';

/** Cancels the questions of a read at its deadline, its end, or when the caller has gone. */
export type Cancellation = {
  /** Aborted with DeadlineExceeded, RequestAbandoned, or an error for a question after the end. */
  readonly signal: AbortSignal;
  /** The time that is left until the deadline. */
  readonly millisecondsLeft: () => number;
  /** Ends the read. Later questions are refused. */
  readonly end: () => void;
};

/** Starts a read. Throws RequestAbandoned if the caller has already gone. */
export function startRead(
  { deadlineMilliseconds, signal }: QueryLimits,
  clock: Clock,
): Cancellation {
  if (signal?.aborted) throw new RequestAbandoned();
  const cancelling = new AbortController();
  const endsAt = clock.now() + deadlineMilliseconds;
  const timer = clock.after(deadlineMilliseconds, () =>
    cancelling.abort(new DeadlineExceeded(deadlineMilliseconds)),
  );
  const abandon = () => cancelling.abort(new RequestAbandoned());
  signal?.addEventListener('abort', abandon, { once: true });
  return {
    signal: cancelling.signal,
    millisecondsLeft: () => endsAt - clock.now(),
    end() {
      timer.cancel();
      signal?.removeEventListener('abort', abandon);
      cancelling.abort(new Error('A question was asked after its read had ended'));
    },
  };
}

/** Refuses questions while an answer streams, because one connection carries both. */
export function oneStreamAtATime(
  ask: Ask,
  stream: Stream,
): { readonly ask: Ask; readonly stream: Stream } {
  let isStreaming = false;
  const check = () => {
    if (isStreaming) throw new Error('No question can be asked while an answer streams');
  };
  return {
    async ask(question, parameters) {
      check();
      return await ask(question, parameters);
    },
    async *stream(question, parameters) {
      check();
      isStreaming = true;
      try {
        yield* stream(question, parameters);
      } finally {
        isStreaming = false;
      }
    },
  };
}
