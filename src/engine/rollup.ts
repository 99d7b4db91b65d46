/** What both engines share when an import changes rollups: which days, and with what the bodies are asked. */
import { type Dependency, factTable, type Rollup, rollups } from '../../schema/warehouse/tables.ts';
import { localDay, never } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { bodyFile, type Question, question } from './question.ts';
import type { Parameters } from './warehouse.ts';

const secondsPerDay = 86_400;

/** The body of each rollup. */
export const rollupQuestions: ReadonlyMap<string, Question> = new Map(
  rollups.map(({ name, body: { file, places } = { file: `${name}.sql`, places: {} } }) => [
    name,
    question(name, bodyFile(import.meta.url, `../../schema/warehouse/${file}`), places),
  ]),
);

/**
 * The days on which an import changed facts, per table: calendar days of dated rows, UTC days of rows that are instants; and the days of
 * the events that depend on things which the import changed.
 */
export type TouchedDays = {
  readonly days: ReadonlyMap<string, readonly number[]>;
  readonly watched: ReadonlyMap<Dependency, readonly number[]>;
};

/**
 * The days of `rollup` that must be computed anew, in order; `coverChanged` are those on which order lines have begun or ceased to tell the
 * sales. A UTC day holds parts of up to three local days, whatever the zone.
 */
export function rollupDays(
  rollup: Rollup,
  touched: TouchedDays,
  coverChanged: readonly number[],
): number[] {
  const days = new Set<number>(
    rollup.from.includes('order_line') && rollup.days === 'channel' ? coverChanged : [],
  );
  const add = (table: string, changed: readonly number[] = []) => {
    const isSpread = rollup.days === 'channel' && factTable(table).replacement !== 'byDay';
    for (const day of changed) {
      days.add(day);
      if (isSpread) days.add(day - 1).add(day + 1);
    }
  };
  for (const table of rollup.from) add(table, touched.days.get(table));
  for (const watch of rollup.dependsOn ?? []) add(watch.of, touched.watched.get(watch));
  const sorted = [...days].sort((a, b) => a - b);
  const length = sorted.length > 0 ? sorted.at(-1)! - sorted[0]! + 1 : 0;
  // Where most days of the range are touched, computing all of them is cheaper than telling the touched ones apart.
  return sorted.length * 2 >= length
    ? Array.from({ length }, (_, index) => sorted[0]! + index)
    : sorted;
}

/** What a rollup's body is asked with for those days, of which there is at least one. */
export function rollupAsked(
  channel: number,
  timezone: string,
  days: readonly number[],
  ordersFrom: number,
): Parameters {
  const first = days[0]!;
  const last = days.at(-1)!;
  const zone = calendarOffsets(timezone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay);
  return {
    channel,
    first,
    last,
    // An empty list means every day from the first to the last.
    days: last - first + 1 === days.length ? [] : days,
    firstUtc: first - 1,
    lastUtc: last + 1,
    starts: zone.starts,
    offsets: zone.offsets,
    ordersFrom,
    never,
  };
}

/** The local day since when order lines cover a channel whose first order line was bought at that instant; after every fact where there is none. */
export function ordersFromDay(timezone: string, firstPurchasedAt: number | null): number {
  return firstPurchasedAt === null ? never : localDay(timezone, firstPurchasedAt);
}
