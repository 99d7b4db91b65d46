/** Work that a node repeats. */

/**
 * Repeats work with pauses of this many milliseconds, never twice at once. Returns the function
 * that stops it and waits for its end.
 */
export function regularly(
  milliseconds: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let working: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    working ??= work()
      .catch(onError)
      .finally(() => {
        working = undefined;
      });
  }, milliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}
