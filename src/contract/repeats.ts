/** Repeated entries of lists: equal entries count once. */
import type { JsonSchema } from './jsonSchema.ts';

/** Whether equal entries of a list are one: texts, numbers, and objects with a single field. */
export function isCollapsed({ type, properties = {} }: JsonSchema): boolean {
  return type !== 'object' || Object.keys(properties).length === 1;
}

/** Whether a value is an object without others in it, which may be too deep to write as text. */
function isFlat(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).every((value) => typeof value !== 'object');
}

/**
 * Reads a list up to `max` different entries; `keepsRepeats` keeps equal ones between them, so that
 * entries have the positions that the client gave them.
 */
export function readEntries(
  list: readonly unknown[],
  read: (entry: unknown) => unknown,
  max: number,
  keepsRepeats: boolean,
): unknown[] {
  const entries: unknown[] = [];
  const seen = new Set<unknown>();
  for (const written of list) {
    const entry = read(written);
    const key = isFlat(entry) ? JSON.stringify(entry) : entry;
    if (keepsRepeats || !seen.has(key)) entries.push(entry);
    seen.add(key);
    if (seen.size === max) break;
  }
  return entries;
}
