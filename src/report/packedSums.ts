/**
 * Sums of many items over any days, added up in memory from packed blocks. Counting the figures
 * first shows whether they are few enough.
 */

import { enclosing } from '../calendar/windows.ts';
import {
  blockDays,
  byDay,
  condensed,
  enclosingBlocks,
  type Part,
  type Question,
  questionFile,
} from '../engine/question.ts';
import type { Ask, DateRange, Parameters } from '../engine/warehouse.ts';
import type { Column } from '../figures/columns.ts';
import type { FactorOf } from '../figures/factors.ts';
import { summed } from '../figures/sql.ts';
import {
  exactBlocksMax,
  type ItemDay,
  type PackedDays,
  type PackedRow,
  packing,
  SummedItems,
} from './packedDays.ts';

/**
 * The most figures of a channel in the blocks that hold a range, in one block, and in one question.
 */
const figuresMax = 100_000;
const blockFiguresMax = 16_000;
const figuresAtOnce = 6_000;

/** The number of figures of a channel, day and currency. */
export type FigureCount = {
  readonly channel: number;
  readonly day: number;
  readonly currency: string;
  readonly figures: number;
};

/** The questions for the figures of items by day, and for the numbers of figures. */
export type PackedFigures = {
  readonly figures: Question<ItemDay | PackedRow>;
  readonly counts: Question<FigureCount>;
  /** The number of columns of figures. */
  readonly columns: number;
  /** Whether the numbers are estimates: then a block with none may still have figures. */
  readonly areEstimated?: true;
};

/** A table of figures, or a part of questions whose rows they are. */
export type FigureRows = string | Part;

/** Makes the questions by the figures, the column that identifies an item, and columns. */
export function packedFigures(
  figures: FigureRows,
  id: string,
  columns: readonly Column[],
): PackedFigures {
  const places = { figures, id, sums: summed(columns) };
  return packedDaily(
    questionFile<ItemDay>(import.meta.url, 'figuresByDay.sql', places),
    figureCounts(figures),
    columns,
  );
}

/** Makes the question for the numbers of figures. */
export function figureCounts(figures: FigureRows): Question<FigureCount> {
  return questionFile<FigureCount>(import.meta.url, 'figureCounts.sql', { figures });
}

/** Combines a question for the figures by day with one for their numbers. */
export function packedDaily(
  figures: Question<ItemDay>,
  counts: Question<FigureCount>,
  columns: readonly Column[],
  more: Pick<PackedFigures, 'areEstimated'> = {},
): PackedFigures {
  return {
    figures: condensed(byDay(figures), packing(columns), blockDays),
    counts: byDay(counts),
    columns: columns.length,
    ...more,
  };
}

/** Days of a channel. */
export type ChannelDays = DateRange & { readonly channel: number };

/** Reads the numbers of figures in the blocks that hold the days of channels. */
export function readCounts(
  ask: Ask,
  { counts }: Pick<PackedFigures, 'counts'>,
  channels: readonly ChannelDays[],
): Promise<FigureCount[]> {
  const days = enclosingBlocks(enclosing(channels));
  return ask(counts, { channels: channels.map(({ channel }) => channel), ...days });
}

/** Adds up the days of each channel by item identifier; undefined if there are too many figures. */
export async function packedSums(
  ask: Ask,
  packed: PackedFigures,
  channels: readonly ChannelDays[],
  factorOf: FactorOf,
): Promise<ReadonlyMap<number, SummedItems> | undefined> {
  const blocks = await packedBlocks(ask, packed, channels);
  if (blocks === undefined) return undefined;
  return new Map(
    channels.map(({ channel, first, last }) => {
      const sums = new SummedItems(packed.columns);
      for (const block of blocks.get(channel)!) block.addUp(first, last, factorOf, sums);
      return [channel, sums];
    }),
  );
}

/**
 * The packed blocks that hold the days of each channel; undefined if they have too many figures.
 * `others` are the other parameters of the question for the figures.
 */
export async function packedBlocks(
  ask: Ask,
  packed: PackedFigures,
  channels: readonly ChannelDays[],
  others: Parameters = {},
): Promise<ReadonlyMap<number, readonly PackedDays[]> | undefined> {
  const days = enclosingBlocks(enclosing(channels));
  if (days.last - days.first >= exactBlocksMax * blockDays) return undefined;
  const counted = Map.groupBy(await readCounts(ask, packed, channels), ({ channel }) => channel);
  const blocks = new Map<number, PackedDays[]>();
  for (const { channel } of channels) {
    const parts = partsOf(counted.get(channel) ?? [], packed.areEstimated ? days : undefined);
    if (parts === undefined) return undefined;
    const ofChannel: PackedDays[] = [];
    for (const part of parts)
      for (const row of await ask(packed.figures, { ...others, channels: [channel], ...part })) {
        if (!('packed' in row)) return undefined;
        ofChannel.push(row.packed);
      }
    blocks.set(channel, ofChannel);
  }
  return blocks;
}

/**
 * Groups whole blocks into ranges of days for one question each: the blocks with figures, or all
 * blocks of `every`; undefined if there are too many figures.
 */
function partsOf(
  counts: readonly FigureCount[],
  every: DateRange | undefined,
): readonly DateRange[] | undefined {
  const sizes = new Map<number, number>();
  if (every !== undefined)
    for (let first = every.first; first <= every.last; first += blockDays) sizes.set(first, 0);
  for (const { day, figures } of counts) {
    const { first } = enclosingBlocks({ first: day, last: day });
    sizes.set(first, (sizes.get(first) ?? 0) + figures);
  }
  const parts: { first: number; last: number; size: number }[] = [];
  let all = 0;
  for (const [first, size] of [...sizes].sort(([one], [other]) => one - other)) {
    all += size;
    if (size > blockFiguresMax || all > figuresMax) return undefined;
    const part = parts.at(-1);
    if (part !== undefined && part.size + size <= figuresAtOnce) {
      part.size += size;
      part.last = first + blockDays - 1;
    } else parts.push({ first, last: first + blockDays - 1, size });
  }
  return parts.map(({ first, last }) => ({ first, last }));
}
