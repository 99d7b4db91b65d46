/** The parts of changing rollups that both engines share: the changed days and the parameters. */
import { type Dependency, factTable, type Rollup, rollups } from '../../schema/warehouse/tables.ts';
import { localDay, never } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { bodyFile, partFile, type Question, question } from './question.ts';
import type { Parameters } from './warehouse.ts';

const secondsPerDay = 86_400;

const schema = new URL('../../schema/warehouse/', import.meta.url).href;
const events = partFile(schema, 'eventFigures.sql');

/** The question of each rollup. */
export const rollupQuestions: ReadonlyMap<string, Question> = new Map(
  rollups.map(({ name, body }) => {
    const { file = `${name}.sql`, lists, posted } = body ?? {};
    const places =
      posted === undefined ? {} : { ...lists, rows: events, posted: partFile(schema, posted) };
    return [name, question(name, bodyFile(schema, file), places)];
  }),
);

/** The days that an import changed. */
export type ChangedDays = {
  /** Per table: calendar days of dated rows, UTC days of rows with an instant. */
  readonly byTable: ReadonlyMap<string, readonly number[]>;
  /** The days of the events that depend on changed rows, such as unit costs. */
  readonly byDependency: ReadonlyMap<Dependency, readonly number[]>;
};

/**
 * The days of a rollup to compute again, in order. On `sourceChanged` days, the source of sales
 * changed to or from order lines. One UTC day overlaps up to three local days.
 */
export function rollupDays(
  rollup: Rollup,
  changed: ChangedDays,
  sourceChanged: readonly number[],
): number[] {
  const days = new Set<number>(
    rollup.from.includes('order_line') && rollup.days === 'channel' ? sourceChanged : [],
  );
  const add = (table: string, changes: readonly number[] = []) => {
    const isSpread = rollup.days === 'channel' && factTable(table).replacement !== 'byDay';
    for (const day of changes) {
      days.add(day);
      if (isSpread) days.add(day - 1).add(day + 1);
    }
  };
  for (const table of rollup.from) add(table, changed.byTable.get(table));
  for (const dependency of rollup.dependsOn ?? [])
    add(dependency.of, changed.byDependency.get(dependency));
  const sorted = [...days].sort((a, b) => a - b);
  const length = sorted.length > 0 ? sorted.at(-1)! - sorted[0]! + 1 : 0;
  // Computing a whole range costs less than picking most of its days.
  return sorted.length * 2 >= length ? daysBetween(sorted[0]!, length) : sorted;
}

function daysBetween(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}

/** The parameters of a rollup's question for those days, which must not be empty. */
export function rollupParameters(
  channel: number,
  timezone: string,
  days: readonly number[],
  ordersFrom: number,
): Parameters {
  const first = days[0]!;
  const last = days.at(-1)!;
  const isRange = last - first + 1 === days.length;
  const zone = calendarOffsets(timezone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay);
  return {
    channel,
    first,
    last,
    // An empty list means every day from the first to the last.
    days: isRange ? [] : days,
    firstUtc: first - 1,
    lastUtc: last + 1,
    starts: zone.starts,
    offsets: zone.offsets,
    ordersFrom,
    never,
  };
}

/**
 * The local day from which order lines are the source of a channel's sales: the day of its first
 * order line, or a day after every fact if it has none.
 */
export function ordersFromDay(timezone: string, firstPurchasedAt: number | null): number {
  return firstPurchasedAt === null ? never : localDay(timezone, firstPurchasedAt);
}
