/**
 * Reads figures of items by day, and adds them up. Counting the figures first shows whether they
 * are few enough to be added up here.
 */

import { enclosing } from '../calendar/windows.ts';
import { type Part, type Question, questionFile } from '../engine/question.ts';
import {
  type DaySource,
  daySource,
  enclosingSegments,
  itemSegmentDays,
  itemSource,
} from '../engine/segments/daySource.ts';
import { type CachedAsk, rowsOfDays } from '../engine/segments/router.ts';
import type { DateRange } from '../engine/warehouse.ts';
import type { Column } from '../figures/columns.ts';
import type { FactorOf } from '../figures/factors.ts';
import { summed } from '../figures/sql.ts';
import { type ItemTable, itemColumns, itemTables, SummedItems } from './itemTables.ts';

/** The most figures of a channel in a range, in one segment, and in one question. */
const figuresMax = 100_000;
const segmentFiguresMax = 16_000;
const figuresAtOnce = 6_000;

/** The figures of an item on a day in one currency; it also has a value for each column. */
export type ItemDay = {
  readonly channel: number;
  readonly day: number;
  readonly id: string;
  readonly currency: string;
};

/** The number of figures of a channel, day and currency. */
export type FigureCount = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly figures: number;
};

/** The sources of the figures of items by day, and of the numbers of figures. */
export type ItemFigures = {
  readonly figures: DaySource;
  readonly counts: DaySource;
  readonly columns: readonly Column[];
  /** Whether the numbers are estimates: then days with none may still have figures. */
  readonly areEstimated?: true;
};

/** A table of figures, or a part of questions whose rows they are. */
export type FigureRows = string | Part;

/** Makes the sources by the figures, the column that identifies an item, and columns. */
export function itemFigures(
  figures: FigureRows,
  id: string,
  columns: readonly Column[],
): ItemFigures {
  const places = { figures, id, sums: summed(columns) };
  const question = questionFile<ItemDay>(import.meta.url, 'figuresByDay.sql', places);
  return {
    figures: itemSource(question, itemColumns(columns)),
    counts: figureCounts(figures),
    columns,
  };
}

/** Makes the source of the numbers of figures. */
export function figureCounts(figures: FigureRows): DaySource {
  return countSource(questionFile<FigureCount>(import.meta.url, 'figureCounts.sql', { figures }));
}

/** Makes the source of a question for numbers of figures. */
export function countSource(question: Question<FigureCount>): DaySource {
  return daySource(question, { texts: ['currency'], counts: ['figures'], amounts: [] });
}

/** Days of a channel. */
export type ChannelDays = DateRange & { readonly channel: number };

/** Reads the numbers of figures in the segments that hold the days of channels. */
export function readCounts(
  ask: CachedAsk,
  { counts }: Pick<ItemFigures, 'counts'>,
  channels: readonly ChannelDays[],
): Promise<FigureCount[]> {
  const days = enclosingSegments(enclosing(channels), itemSegmentDays);
  const numbers = channels.map(({ channel }) => channel);
  return rowsOfDays<FigureCount>(ask, counts, numbers, days);
}

/** Adds up the days of each channel by item identifier; undefined if there are too many figures. */
export async function readItemSums(
  ask: CachedAsk,
  items: ItemFigures,
  channels: readonly ChannelDays[],
  factorOf: FactorOf,
): Promise<ReadonlyMap<number, SummedItems> | undefined> {
  const tables = await readItems(ask, items, channels);
  if (tables === undefined) return undefined;
  return new Map(
    channels.map(({ channel, first, last }) => {
      const sums = new SummedItems(items.columns.length);
      for (const table of tables.get(channel)!) table.addUp(first, last, factorOf, sums);
      return [channel, sums];
    }),
  );
}

/** The tables that hold the days of each channel; undefined if they have too many figures. */
export async function readItems(
  ask: CachedAsk,
  { figures, counts, columns, areEstimated }: ItemFigures,
  channels: readonly ChannelDays[],
): Promise<ReadonlyMap<number, readonly ItemTable[]> | undefined> {
  const days = enclosingSegments(enclosing(channels), itemSegmentDays);
  const counted = Map.groupBy(
    await readCounts(ask, { counts }, channels),
    ({ channel }) => channel,
  );
  const found = new Map<number, readonly ItemTable[]>();
  for (const { channel } of channels) {
    const parts = partsOf(counted.get(channel) ?? [], areEstimated ? days : undefined);
    if (parts === undefined) return undefined;
    const ofParts = [];
    for (const part of parts) ofParts.push(...(await ask.days(figures, [channel], part)));
    const tables = itemTables(ofParts, columns);
    if (tables === undefined) return undefined;
    found.set(channel, tables);
  }
  return found;
}

/**
 * Groups whole segments into ranges of days for one question each: the segments with figures, or
 * all segments of `every`; undefined if there are too many figures.
 */
function partsOf(
  counts: readonly FigureCount[],
  every: DateRange | undefined,
): readonly DateRange[] | undefined {
  const sizes = new Map<number, number>();
  if (every !== undefined)
    for (let first = every.first; first <= every.last; first += itemSegmentDays)
      sizes.set(first, 0);
  for (const { day, figures } of counts) {
    const { first } = enclosingSegments({ first: day, last: day }, itemSegmentDays);
    sizes.set(first, (sizes.get(first) ?? 0) + figures);
  }
  const parts: { first: number; last: number; size: number }[] = [];
  let all = 0;
  for (const [first, size] of [...sizes].sort(([one], [other]) => one - other)) {
    all += size;
    if (size > segmentFiguresMax || all > figuresMax) return undefined;
    const part = parts.at(-1);
    if (part !== undefined && part.size + size <= figuresAtOnce) {
      part.size += size;
      part.last = first + itemSegmentDays - 1;
    } else parts.push({ first, last: first + itemSegmentDays - 1, size });
  }
  return parts.map(({ first, last }) => ({ first, last }));
}
