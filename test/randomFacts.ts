/** Arbitraries of tests of random facts: amounts, dates, instants, rows and ranges. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';

/** The value that an arbitrary draws. */
export type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Amounts with two decimals, by their cents. */
export const cents = (min: number, max: number) =>
  fc.integer({ min, max }).map((amount) => (amount / 100).toFixed(2));

/** The same arbitrary by each of some names. */
export function each<Name extends string, Of>(
  names: readonly Name[],
  arbitrary: Of,
): Record<Name, Of> {
  return Object.fromEntries(names.map((name) => [name, arbitrary])) as Record<Name, Of>;
}

/** The dates from one on. */
export const datesFrom = (first: string, days: number) =>
  fc.nat(days - 1).map((day) => Temporal.PlainDate.from(first).add({ days: day }).toString());

/** Epoch seconds of the same dates in UTC. */
export function instantsFrom(first: string, days: number) {
  const min = Date.parse(first) / 1000;
  return fc.integer({ min, max: min + days * 86_400 - 1 });
}

/** Rows without two that have the same values in all fields of the key. */
export function rowsBy<Row extends object>(
  key: readonly NoInfer<keyof Row>[],
  fields: { [Name in keyof Row]: fc.Arbitrary<Row[Name]> },
  maxLength: number,
): fc.Arbitrary<Row[]> {
  const selector = (row: Row) => key.map((name) => row[name]).join(' ');
  return fc.uniqueArray(fc.record(fields) as fc.Arbitrary<Row>, { selector, maxLength });
}

/** The time that clocks of a zone show at an instant in epoch seconds. */
export const wallTime = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone);

/** The range from an instant on: of its length to the second, or of the whole days around it. */
export function rangeFrom(
  from: number,
  { length, wholeDays }: { readonly length: number; readonly wholeDays: boolean },
  zone: string,
): [from: number, to: number] {
  if (!wholeDays) return [from, from + length];
  const day = (instant: number) => wallTime(zone, instant).startOfDay();
  const seconds = (moment: Temporal.ZonedDateTime) => Math.floor(moment.epochMilliseconds / 1000);
  return [seconds(day(from)), seconds(day(from + length).add({ days: 1 })) - 1];
}

/** A ratio as it is shown, `-` over nothing. */
export function ratio(part: Decimal.Value, whole: Decimal.Value, places = 1, factor = 100): string {
  if (!new Decimal(whole).gt(0)) return '-';
  const value = new Decimal(part).times(factor).div(whole);
  return value.toFixed(places, Decimal.ROUND_HALF_UP).replace(/^-(0\.0+)$/, '$1');
}
