/** A cache for look-ups in the registry, so that most requests need none. */

/** A change made by another node takes effect within this time. */
export const cacheMilliseconds = 5_000;

/** How many values a cache holds, and which: all of them by default. */
export type CacheBounds<Value> = {
  readonly entriesMax: number;
  readonly canCache?: (value: Value) => boolean;
};

/** Values by key. */
export type Cache<Value> = {
  /**
   * The cached value, at once where it is known; otherwise the result of `load`, which concurrent
   * calls share. An empty result is not cached, nor one beyond the bounds.
   */
  readonly get: (
    key: string,
    load: () => Promise<Value | undefined>,
  ) => Value | Promise<Value | undefined>;
  /** Drops every value, including those of look-ups in flight. */
  readonly invalidate: () => void;
};

/** Creates an empty cache. `now` is in milliseconds. */
export function createCache<Value extends object>(
  now: () => number,
  { entriesMax, canCache = () => true }: CacheBounds<Value> = { entriesMax: 10_000 },
): Cache<Value> {
  type Entry = { value: Value | Promise<Value | undefined>; readonly until: number };
  const entries = new Map<string, Entry>();

  function load(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined> {
    if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!);
    // The time counts from the start of the look-up, because the value may be as old as that.
    const entry: Entry = { value: find(), until: now() + cacheMilliseconds };
    entries.set(key, entry);
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    const found = entry.value as Promise<Value | undefined>;
    found.then((value) => {
      if (value === undefined || !canCache(value)) drop();
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
