/** Runs `work` while no other call on the same mutex works under the same name, in the order of the calls. */
type Mutex = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** A mutex of this process. Asking again for a name from within its own work waits for ever. */
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
