/** What both warehouses share when questions are asked: what stops them, and that an answer which streams is alone. */
import { DeadlineExceeded, RequestAbandoned } from './errors.ts';
import type { Ask, QueryLimits, Stream } from './warehouse.ts';

/** What stops questions: their deadline, the asker's leaving, or that the reading is over. */
export type Stop = {
  /** Aborted with DeadlineExceeded, RequestAbandoned, or an error that says that the reading is over. */
  readonly signal: AbortSignal;
  /** The deadline, on the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Ends the reading; whatever is still asked is refused. */
  end(): void;
};

/** Begins a reading. Throws RequestAbandoned where the asker has gone already. */
export function stopAt({ deadlineMilliseconds, signal }: QueryLimits): Stop {
  if (signal?.aborted) throw new RequestAbandoned();
  const stopping = new AbortController();
  const timer = setTimeout(
    () => stopping.abort(new DeadlineExceeded(deadlineMilliseconds)),
    deadlineMilliseconds,
  );
  const leave = () => stopping.abort(new RequestAbandoned());
  signal?.addEventListener('abort', leave, { once: true });
  return {
    signal: stopping.signal,
    endsAt: performance.now() + deadlineMilliseconds,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      stopping.abort(new Error('Something was asked after its reading was over'));
    },
  };
}

/** The same ways to ask, but that an error is thrown where anything is asked while an answer streams, as one connection carries both. */
export function inTurn(ask: Ask, stream: Stream): { readonly ask: Ask; readonly stream: Stream } {
  let isStreaming = false;
  const check = () => {
    if (isStreaming) throw new Error('Nothing can be asked while an answer streams');
  };
  return {
    async ask(question, asked) {
      check();
      return await ask(question, asked);
    },
    async *stream(question, asked) {
      check();
      isStreaming = true;
      try {
        yield* stream(question, asked);
      } finally {
        isStreaming = false;
      }
    },
  };
}
