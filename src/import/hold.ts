/** A lock that is held from one call to another, not during one piece of work. */
export class Hold {
  /** Settles when the lock is acquired, or cannot be acquired. */
  readonly acquired: Promise<void>;
  readonly #released: Promise<void>;
  #release: () => void = () => undefined;

  /** Acquires the lock by `withLock`. */
  constructor(withLock: (work: () => Promise<void>) => Promise<void>) {
    const ended = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.acquired = promise;
    this.#released = withLock(() => {
      resolve();
      return ended;
    }).catch(reject);
  }

  /** Releases the lock, even if it is not acquired yet. */
  release(): Promise<void> {
    this.#release();
    return this.#released;
  }
}
