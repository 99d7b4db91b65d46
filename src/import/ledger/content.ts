/** Identifies and dates amounts that have no number or time of their own. */
import { createHash } from 'node:crypto';
import { type DayNumber, endOfDay, startOfDay } from '../../calendar/period.ts';
import { TextNumbers } from '../cells/textNumbers.ts';

const secondsPerDay = 86_400;

/**
 * The instant at which an amount of a whole day is booked: noon of the day in the zone, or the
 * nearest instant that also has this date in UTC. So the amount is on the same day in both.
 */
export function instantOfDay(zone: string, day: DayNumber): number {
  const start = startOfDay(zone, day) ?? day * secondsPerDay;
  const end = endOfDay(zone, day) ?? start + secondsPerDay - 1;
  const noon = start + Math.round((end + 1 - start) / 2);
  return Math.min(Math.max(noon, day * secondsPerDay), (day + 1) * secondsPerDay - 1);
}

/** A name for a value, made from its content; the order of its fields does not matter. */
export function nameOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
  return createHash('sha256').update(sorted).digest('base64url').slice(0, 22);
}

/** Makes equal names unique by numbering them: the second of a name becomes `name#2`. */
export class Occurrences {
  readonly #seen = new TextNumbers();

  /** The unique name of the next value with that name. */
  next(name: string): string {
    const number = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, number);
    return number === 1 ? name : `${name}#${number}`;
  }
}

/** An identifier as written, or a hash of its content if it is not plain text. */
export function plainName(text: string): string {
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : nameOf(text);
}
