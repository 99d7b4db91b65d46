/**
 * The turn of a request in the queue of questions. Its first question takes it, and it lasts until
 * the answer is written: computing and writing an answer takes the process as long as asking does.
 */
export class Turn {
  #taken: Promise<() => void> | undefined;

  /** Waits for the turn; `acquire` is called once. */
  async take(acquire: () => Promise<() => void>): Promise<void> {
    this.#taken ??= acquire();
    await this.#taken;
  }

  /** Ends the turn, if it was taken. */
  end(): void {
    // Not at once: otherwise the next request would be computed before anything else in this
    // process.
    this.#taken?.then(
      (end) => setImmediate(end),
      () => undefined,
    );
    this.#taken = undefined;
  }
}
