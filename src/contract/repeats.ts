/** Repeated entries of lists: equal entries count once. */
import type { JsonSchema } from './jsonSchema.ts';

/**
 * Whether equal entries of a list count as one: texts, numbers, and objects with a single field.
 */
export function isCollapsed({ type, properties = {} }: JsonSchema): boolean {
  return type !== 'object' || Object.keys(properties).length === 1;
}

/**
 * Whether a value is an object without nested objects, which might be too deep to write as text.
 */
function isFlat(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).every((value) => typeof value !== 'object');
}

/**
 * Reads a list up to `max` different entries. With `withRepeats` the equal entries between them
 * stay, so that all entries have their positions in the client's request.
 */
export function readEntries(
  list: readonly unknown[],
  read: (entry: unknown) => unknown,
  max: number,
  withRepeats: boolean,
): unknown[] {
  const entries: unknown[] = [];
  const seen = new Set<unknown>();
  for (const written of list) {
    const entry = read(written);
    const key = isFlat(entry) ? JSON.stringify(entry) : entry;
    if (withRepeats || !seen.has(key)) entries.push(entry);
    seen.add(key);
    if (seen.size === max) break;
  }
  return entries;
}
