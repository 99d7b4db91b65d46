/** What both engines share when an import changes rollups: which days, and with what the bodies are asked. */
import { readFileSync } from 'node:fs';
import { type Rollup, rollups } from '../../schema/warehouse/tables.ts';
import { localDay } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { type Question, question } from './question.ts';
import type { Asked } from './warehouse.ts';

const secondsPerDay = 86_400;

/** A day after every fact: since when order lines cover a channel that has none. 2299-12-31. */
export const never = 120_529;

/** The body of each rollup. */
export const rollupQuestions: ReadonlyMap<string, Question> = new Map(
  rollups.map((rollup) => [
    rollup.name,
    question(rollup.name, readFileSync(new URL(`../../schema/warehouse/${rollup.name}.sql`, import.meta.url), 'utf8')),
  ]),
);

/** The days on which an import changed facts: UTC days of order lines, and calendar days of daily facts. */
export type TouchedDays = { readonly orderDays: readonly number[]; readonly calendarDays: readonly number[] };

/** The days of `rollup` that must be computed anew. A UTC day holds parts of up to three local days, whatever the zone. */
export function rollupDays(rollup: Rollup, touched: TouchedDays): number[] {
  const days = new Set<number>(rollup.days === 'channel' ? touched.calendarDays : []);
  for (const day of touched.orderDays) {
    days.add(day);
    if (rollup.days === 'channel') days.add(day - 1).add(day + 1);
  }
  return [...days].sort((a, b) => a - b);
}

/** What a rollup's body is asked with for those days, of which there is at least one. */
export function rollupAsked(channel: number, timezone: string, days: readonly number[], ordersFrom: number): Asked {
  const first = days[0]!;
  const last = days.at(-1)!;
  const zone = calendarOffsets(timezone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay);
  return {
    channel,
    first,
    last,
    days,
    firstUtc: first - 1,
    lastUtc: last + 1,
    starts: zone.starts,
    offsets: zone.offsets,
    ordersFrom,
  };
}

/** The local day since when order lines cover a channel whose first order line was bought at that instant. */
export function ordersFromDay(timezone: string, firstPurchasedAt: number | null): number {
  return firstPurchasedAt === null ? never : localDay(timezone, firstPurchasedAt);
}
