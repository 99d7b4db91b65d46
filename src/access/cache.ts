/** Remembers for a few seconds what was looked up, so that most requests cost the registry nothing. */

/** The longest time for which another node's change may go unnoticed. */
export const cacheMilliseconds = 5_000;

const entriesMax = 10_000;

/** Values by key. */
export type Cache<Value> = {
  /** What is known under the key, else what `load` finds; calls that come meanwhile share one `load`. Nothing found is not remembered. */
  readonly get: (
    key: string,
    load: () => Promise<Value | undefined>,
  ) => Value | Promise<Value | undefined>;
  /** Forgets everything at once, also what is being looked up at this moment. */
  readonly invalidate: () => void;
};

/** Starts with nothing known. `now` is in milliseconds. */
export function createCache<Value extends object>(now: () => number): Cache<Value> {
  type Entry = { value: Value | Promise<Value | undefined>; readonly until: number };
  const entries = new Map<string, Entry>();

  function load(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> {
    if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!);
    // The time counts from the start of the look-up, because the answer may be as old as that.
    const entry: Entry = { value: find(), until: now() + cacheMilliseconds };
    entries.set(key, entry);
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    const found = entry.value as Promise<Value | undefined>;
    found.then((value) => {
      if (value === undefined) drop();
      else entry.value = value;
    }, drop);
    return found;
  }

  return {
    get(key, find) {
      const entry = entries.get(key);
      if (entry !== undefined && entry.until > now()) return entry.value;
      entries.delete(key);
      return load(key, find);
    },
    invalidate: () => entries.clear(),
  };
}
