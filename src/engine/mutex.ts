/** Runs `work` while no other call with the same name runs on this mutex; calls run in order. */
type Mutex = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a mutex of this process. It is not reentrant: a nested call with the same name never
 * ends.
 */
export function createMutex(): Mutex {
  const lastInLine = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = lastInLine.get(name);
    const turn = (async () => {
      await before;
      return work();
    })();
    const ended = turn.then(
      () => {},
      () => {},
    );
    lastInLine.set(name, ended);
    try {
      return await turn;
    } finally {
      if (lastInLine.get(name) === ended) lastInLine.delete(name);
    }
  };
}
