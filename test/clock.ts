import type { Clock, Timer } from '../src/engine/clock.ts';

type Pending = { readonly at: number; readonly callback: () => void };

/** A clock that a test moves by hand. Timers that `skips` picks fire at once, moving the clock. */
export class HandClock implements Clock {
  #now: number;
  readonly #skips: (milliseconds: number) => boolean;
  readonly #timers = new Set<Pending>();

  constructor(now = Date.UTC(2026, 0, 15), skips: (milliseconds: number) => boolean = () => false) {
    this.#now = now;
    this.#skips = skips;
  }

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, callback: () => void): Timer => {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    if (this.#skips(milliseconds))
      setImmediate(() => {
        if (this.#timers.has(timer)) this.#moveTo(timer.at);
      });
    return { cancel: () => this.#timers.delete(timer), unref() {} };
  };

  /** How many timers have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves the clock, firing the timers in between. */
  advance(milliseconds: number): void {
    this.#moveTo(this.#now + milliseconds);
  }

  #moveTo(end: number): void {
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = Math.max(this.#now, end);
  }
}

/**
 * A clock for warehouses, which stands still until it is moved. The rests before a commit is
 * repeated pass at once; deadlines, of two seconds and more, do not.
 */
export function standingClock(): HandClock {
  return new HandClock(Date.now(), (milliseconds) => milliseconds < 2_000);
}
