/** A timer that has been set. */
export type Timer = {
  readonly cancel: () => void;
  /** Lets the process end while the timer runs. */
  readonly unref: () => void;
};

/** The time as stores and workers see it. Tests pass a clock that they move by hand. */
export type Clock = {
  /** The time in epoch milliseconds. */
  readonly now: () => number;
  /** Calls back once after this many milliseconds. */
  readonly after: (milliseconds: number, callback: () => void) => Timer;
};

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer), unref: () => timer.unref() };
  },
};

/** Resolves after this many milliseconds, or as soon as the signal is aborted. */
export function rest(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}
