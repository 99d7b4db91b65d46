/** How an amount is told apart and dated that carries no number or no time of its own. */
import { createHash } from 'node:crypto';
import { type DayNumber, endOfDay, startOfDay } from '../../calendar/period.ts';

const secondsPerDay = 86_400;

/**
 * The instant to book what a whole day tells: noon of the day in the zone, or the one nearest to it whose UTC date is the day as well, so that
 * the day is the same wherever it is looked at.
 */
export function instantOfDay(zone: string, day: DayNumber): number {
  const start = startOfDay(zone, day) ?? day * secondsPerDay;
  const end = endOfDay(zone, day) ?? start + secondsPerDay - 1;
  const noon = start + Math.round((end + 1 - start) / 2);
  return Math.min(Math.max(noon, day * secondsPerDay), (day + 1) * secondsPerDay - 1);
}

/** A name for a value by its content, whatever the order of its fields. */
export function nameOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
  return createHash('sha256').update(sorted).digest('base64url').slice(0, 22);
}

/** Names that tell equal ones apart by their order: the second of a name becomes `name#2`. */
export class Occurrences {
  readonly #seen = new Map<string, number>();

  /** The name of the next one of that name. */
  next(name: string): string {
    const number = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, number);
    return number === 1 ? name : `${name}#${number}`;
  }
}

/** An identifier as it is told, or a name by its content where it is not plain. */
export function plainName(text: string): string {
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : nameOf(text);
}
