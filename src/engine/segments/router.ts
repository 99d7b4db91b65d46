/**
 * The one place that decides whether segments or a question of the store answer for facts by day.
 * Segments have the stamps of the tables that they were read from, so an answer from them never
 * differs from a fresh one.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Meter, silentMeter } from '../../observation/meter.ts';
import type { Question } from '../question.ts';
import type { Reads } from '../stamps.ts';
import type { Ask, DateRange, Row, View } from '../warehouse.ts';
import type { DaySource } from './daySource.ts';
import type { DayTable } from './dayTable.ts';
import { SegmentFiles } from './files.ts';
import { segmentOf, tableOf, tableOfRows } from './format.ts';

const bytesPerMegabyte = 1_000_000;
/** The memory of a table: its columns, the sums of some of them, and a constant part. */
const bytesPerTable = 2_000;
const memoryPerByte = 2;
/** Characters of the hash of a question in the name of a segment. */
const digestLength = 16;
/** A longer range is answered by a question about its days alone. */
const segmentsMax = 64;
/** The segments that one question makes. */
const segmentsAtOnce = 50;
/** So many segments are read in about a millisecond; then other work has its turn. */
const readsPerSlice = 20;

/** Why a question of the store answers instead of segments. */
export type Reason =
  /** The installation has no room for segments. */
  | 'off'
  /** The range has too many segments. */
  | 'range'
  /** The facts change while they are read. */
  | 'changing'
  /** The segment is not there, was read from older facts, or is damaged. */
  | 'missing'
  | 'stale'
  | 'damaged';

/** Reads the facts of channels by day, as tables that may have further days or no rows. */
export type ReadDays = (
  source: DaySource,
  channels: readonly number[],
  range: DateRange,
) => Promise<readonly DayTable[]>;

/** Answers questions and reads facts by day, all of one moment. */
export type CachedAsk = Ask & { readonly days: ReadDays };

/** A part of a source that one segment holds. */
type Part = {
  readonly channel: number;
  readonly number: number;
  readonly stamp: string;
  /** The name of the segment. */
  readonly name: string;
};

/** A table in memory, with the size of its segment. */
type Opened = { readonly table: DayTable; readonly stamp: string; readonly bytes: number };

/** Answers from the segments of a folder, and makes those that are missing. */
export class Segments {
  readonly #files: SegmentFiles | undefined;
  readonly #meter: Meter;
  /** The tables that were read last, by the names of their segments. */
  readonly #tables: LRUCache<string, Opened> | undefined;

  /** Without files, questions answer everything. Tables stay in memory up to `bytesMax` bytes. */
  constructor(files: SegmentFiles | undefined, bytesMax: number, meter: Meter = silentMeter) {
    this.#files = files;
    this.#meter = meter;
    if (bytesMax > 0)
      this.#tables = new LRUCache({
        maxSize: bytesMax,
        sizeCalculation: ({ bytes }) => bytesPerTable + memoryPerByte * bytes,
      });
  }

  /** Resolves once the segments that were made have been written. */
  async settle(): Promise<void> {
    await this.#files?.settle();
  }

  /** Deletes the segments of a channel on this node. */
  async delete(channel: number): Promise<void> {
    this.#tables?.clear();
    await this.#files?.delete(`${channel}.`);
  }

  /** Reads by questions alone, because of `reason`. */
  readingBeside(ask: Ask, reason: Reason): ReadDays {
    return async (source, channels, range) => {
      this.#count('question', reason, channels.length);
      const rows = await rowsOf(ask, source, channels, range);
      return channels.flatMap((channel) => {
        const own = rows.get(channel);
        return own === undefined ? [] : [tableOfRows(own, source, channel)];
      });
    };
  }

  /** Reads the facts of a view, and notes what was read. */
  reading(view: View, reads: Reads | undefined): ReadDays {
    const files = this.#files;
    /** The tables that were read for this answer, by the names of their segments. */
    const known = new Map<string, DayTable>();
    const beside = this.readingBeside(view.ask, files === undefined ? 'off' : 'range');
    return async (source, channels, range) => {
      const stamps = channels.map((channel) => stampOf(view, source, channel, reads));
      const numbers = segmentsOf(source, range);
      if (files === undefined || numbers.length > segmentsMax)
        return beside(source, channels, range);
      const parts = channels.flatMap((channel, place) =>
        numbers.map((number) => ({
          channel,
          number,
          stamp: stamps[place]!,
          name: nameOf(source, channel, number),
        })),
      );
      const missing: Part[] = [];
      for (const [place, part] of parts.entries()) {
        if (place > 0 && place % readsPerSlice === 0) await setImmediate();
        if (known.has(part.name)) continue;
        const found = this.#find(files, source, part);
        this.#count(typeof found === 'string' ? 'question' : 'segment', reasonOf(found));
        if (typeof found === 'string') missing.push(part);
        else known.set(part.name, found);
      }
      for (let at = 0; at < missing.length; at += segmentsAtOnce) {
        const some = missing.slice(at, at + segmentsAtOnce);
        const made = await make(view.ask, files, source, some);
        for (const [place, { table, bytes }] of made.entries()) {
          const { name, stamp } = some[place]!;
          known.set(name, table);
          this.#tables?.set(name, { table, stamp, bytes });
        }
      }
      return parts.map(({ name }) => known.get(name)!);
    };
  }

  #find(
    files: SegmentFiles,
    source: DaySource,
    { name, stamp }: Part,
  ): DayTable | 'missing' | 'stale' | 'damaged' {
    const known = this.#tables?.get(name);
    if (known?.stamp === stamp) return known.table;
    const bytes = files.read(name);
    if (bytes === undefined) return 'missing';
    const found = tableOf(bytes, stamp, source);
    if (found === 'damaged') files.remove(name);
    else if (found !== 'stale')
      this.#tables?.set(name, { table: found, stamp, bytes: bytes.length });
    return found;
  }

  #count(by: 'segment' | 'question', reason: Reason | 'current', count = 1): void {
    this.#meter.add('vitrine_segment_reads_total', { by, reason }, count);
  }
}

/** Reads the facts of a snapshot by questions alone. */
export function byQuestions(ask: Ask): CachedAsk {
  return Object.assign(ask, { days: new Segments(undefined, 0).readingBeside(ask, 'off') });
}

/** Reads the rows of channels as objects. */
export async function rowsOfDays<R extends Row>(
  ask: CachedAsk,
  source: DaySource,
  channels: readonly number[],
  range: DateRange,
): Promise<R[]> {
  const tables = await ask.days(source, channels, range);
  return tables.flatMap((table) => table.rowsIn<R>(range));
}

function reasonOf(found: DayTable | Reason): Reason | 'current' {
  return typeof found === 'string' ? found : 'current';
}

/**
 * Opens the segments of a data folder, with tables in memory up to `memoryMax` bytes. Without any
 * room on the disk, questions answer.
 */
export function openSegments(
  dataFolder: string,
  megabytesMax: number,
  memoryMax: number,
  meter: Meter,
): Segments {
  if (megabytesMax === 0) return new Segments(undefined, 0, meter);
  const bytesMax = megabytesMax * bytesPerMegabyte;
  const files = new SegmentFiles(join(dataFolder, 'segments'), bytesMax, meter);
  void files.scan();
  return new Segments(files, memoryMax, meter);
}

/** The stamps of the tables of a channel that a source reads. */
function stampOf(
  { stamps }: View,
  { question }: DaySource,
  channel: number,
  reads: Reads | undefined,
): string {
  const ofTables = question.tables.map((table) => {
    const stamp = stamps.of(channel, table);
    reads?.note(channel, table, stamp);
    return stamp;
  });
  return ofTables.join(' ');
}

/** The numbers of the segments that hold a range. */
function segmentsOf({ segmentDays }: DaySource, { first, last }: DateRange): number[] {
  const start = Math.floor(first / segmentDays);
  const length = Math.floor(last / segmentDays) - start + 1;
  return Array.from({ length: Math.min(length, segmentsMax + 1) }, (_, index) => start + index);
}

/** The name of a segment; sources of other questions or variants have others. */
function nameOf({ question, variant }: DaySource, channel: number, number: number): string {
  const of = variant === '' ? digestOf(question) : digest(`${digestOf(question)} ${variant}`);
  return `${channel}.${of}.${number}`;
}

const digests = new WeakMap<Question, string>();

function digestOf(question: Question): string {
  const found = digests.get(question) ?? digest(question.sql);
  digests.set(question, found);
  return found;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, digestLength);
}

/** Makes segments by one question, and writes them. Returns the table of each. */
async function make(
  ask: Ask,
  files: SegmentFiles,
  source: DaySource,
  parts: readonly Part[],
): Promise<readonly Pick<Opened, 'table' | 'bytes'>[]> {
  const { segmentDays } = source;
  const numbers = parts.map(({ number }) => number);
  const range = {
    first: Math.min(...numbers) * segmentDays,
    last: (Math.max(...numbers) + 1) * segmentDays - 1,
  };
  const channels = [...new Set(parts.map(({ channel }) => channel))];
  const rows = await rowsOf(ask, source, channels, range);
  return parts.map(({ channel, number, stamp, name }) => {
    const own = (rows.get(channel) ?? []).filter(
      ({ day }) => Math.floor((day as number) / segmentDays) === number,
    );
    const bytes = segmentOf(channel, stamp, own, source);
    files.write(name, bytes);
    return { table: tableOf(bytes, stamp, source) as DayTable, bytes: bytes.length };
  });
}

async function rowsOf(
  ask: Ask,
  { question, parametersOf }: DaySource,
  channels: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, readonly Row[]>> {
  const { first, last } = range;
  const parameters = { first, last, ...parametersOf(range) };
  if (channels.length === 0) return new Map();
  if ('channel' in question.parameters) {
    const byChannel = new Map<number, readonly Row[]>();
    for (const channel of channels)
      byChannel.set(channel, await ask(question, { channel, ...parameters }));
    return byChannel;
  }
  const rows = await ask(question, { channels, ...parameters });
  return Map.groupBy(rows, ({ channel }) => channel as number);
}
