/**
 * The working set: answers of questions in memory, each with the stamps of the tables that it was
 * read from. An answer is used only while the tables still have these stamps, so it never differs
 * from a fresh answer. Questions by day are cached in blocks of days that do not depend on the
 * request, so requests with other ranges share them.
 */
import { LRUCache } from 'lru-cache';
import { type Meter, silentMeter } from '../observation/meter.ts';
import { BlockPlaces, type Place } from './blockPlaces.ts';
import { overlay } from './overlay.ts';
import { channelsOf, type Question } from './question.ts';
import { FactsChanged, type Reads } from './stamps.ts';
import type { CondensedDays } from './values.ts';
import type { Ask, Parameters, QueryLimits, Row, View, Warehouse } from './warehouse.ts';

/** A longer range is cached as one answer. */
const blocksMax = 128;
/** Larger answers are not cached. */
const entryBytesMax = 4_000_000;

/** The number of requests to remember as sent once. */
const requestedOnceMax = 20_000;

const bytesPerEntry = 300;
const bytesPerRow = 80;
const bytesPerCell = 20;

/** The rows of an answer, or of the days of a block. */
type Rows = { readonly rows: readonly Row[]; readonly condensed?: CondensedDays };
type Entry = Rows & { readonly stamp: string };

/** A whole answer as JSON in parts, its entity tag, and what it was read from. */
export type CachedAnswer = {
  readonly parts: readonly Buffer[];
  readonly tag: string;
  readonly reads: Reads;
};

/** A warehouse with cached answers. */
export interface CachedWarehouse extends Warehouse {
  /**
   * Like `read`, but answers come from memory if they still match the facts. `use` may be called
   * again from its start.
   */
  readCached<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask) => Promise<T>,
  ): Promise<T>;
}

/** Caches answers up to `bytesMax` bytes; the least recently used go first. */
export class WorkingSet {
  readonly #entries: LRUCache<string | Place, Entry | CachedAnswer> | undefined;
  readonly #places = new BlockPlaces();
  readonly #meter: Meter;
  readonly #questions = new Map<unknown, number>();
  readonly #requestedOnce = new LRUCache<string, true>({ max: requestedOnceMax });

  constructor(bytesMax: number, meter: Meter = silentMeter) {
    this.#meter = meter;
    meter.gauge('vitrine_working_set_bytes', () => [[{}, this.bytes]]);
    if (bytesMax > 0)
      this.#entries = new LRUCache({
        maxSize: bytesMax,
        maxEntrySize: Math.min(bytesMax, entryBytesMax),
        sizeCalculation: (entry, key) => bytesOf(entry, key),
        dispose: (_entry, key, reason) => {
          if (typeof key !== 'string' && reason !== 'set') this.#places.remove(key);
        },
      });
  }

  /** The bytes of all entries, estimated. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /** Counts look-ups, by whether they found a current answer. */
  countLookup(of: 'answer' | 'rows', isHit: boolean, count = 1): void {
    const result = isHit ? 'hit' : 'miss';
    if (count > 0) this.#meter.add('vitrine_working_set_lookups_total', { of, result }, count);
  }

  /** The cached answer of a key, whatever has changed since. */
  findAnswer(key: string): CachedAnswer | undefined {
    const found = this.#entries?.get(answerKey(key));
    return found !== undefined && 'parts' in found ? found : undefined;
  }

  /** Caches a whole answer that was requested twice: most never are, and would fill the memory. */
  cacheAnswer(key: string, answer: CachedAnswer): void {
    if (this.#requestedOnce.delete(key))
      this.#entries?.set(answerKey(key), { ...answer, parts: answer.parts.map(unpooled) });
    else this.#requestedOnce.set(key, true);
  }

  /**
   * Questions with one name may have different bodies; `of` is a body, or the function that
   * condenses its rows.
   */
  #numberOf(of: unknown): number {
    let number = this.#questions.get(of);
    if (number === undefined) {
      number = this.#questions.size;
      this.#questions.set(of, number);
    }
    return number;
  }

  #find(key: string | Place, stamp: string | undefined): Rows | undefined {
    const found = this.#entries?.get(key);
    return found !== undefined && 'rows' in found && found.stamp === stamp ? found : undefined;
  }

  /** Caches a block unless it is too large; a place without a block is removed. */
  #cacheBlock(place: Place, entry: Entry): void {
    this.#entries?.set(place, entry);
    if (!this.#entries?.has(place)) this.#places.remove(place);
  }

  /** Answers questions of a view from memory if possible. */
  answering(view: View, reads: Reads | undefined): Ask {
    const ask = async <R extends Row>(question: Question<R>, parameters: Parameters) => {
      const channels = channelsOf(parameters);
      const stamps = channels.map((channel) => {
        const ofTables = question.tables.map((table) => view.stamps.of(channel, table));
        for (const [index, table] of question.tables.entries())
          reads?.note(channel, table, ofTables[index]!);
        return ofTables.join(' ');
      });
      const answer = question.isByDay
        ? await this.#answerByDay(view, question, parameters, channels, stamps)
        : undefined;
      return (answer ?? (await this.#answer(view, question, parameters, stamps))) as R[];
    };
    return Object.assign(ask, { cachesDays: this.#entries !== undefined });
  }

  async #answer(
    view: View,
    question: Question,
    parameters: Parameters,
    stamps: readonly string[],
  ): Promise<readonly Row[]> {
    const stamp = stamps.join('; ');
    const key = `${this.#numberOf(question.sql)} ${JSON.stringify(parameters)}`;
    const known = this.#find(key, stamp);
    this.countLookup('rows', known !== undefined);
    // The caller may change the list, though not its rows.
    if (known !== undefined) return known.rows.slice();
    const rows = await view.ask(question, parameters);
    if (question.isCached) this.#entries?.set(key, { stamp, rows: rows.slice() });
    return rows;
  }

  /** The rows of a question by day; undefined if its range has too many blocks. */
  async #answerByDay(
    view: View,
    question: Question,
    { channel: _, channels: __, ...parameters }: Parameters,
    channels: readonly number[],
    stamps: readonly string[],
  ): Promise<readonly Row[] | undefined> {
    const { first, last, ...others } = parameters as { first: number; last: number };
    const { condense, blockDays: size } = question;
    const range = { from: Math.floor(first / size), to: Math.floor(last / size) };
    if (this.#entries === undefined || range.to - range.from >= blocksMax) return undefined;
    const condensing = condense === undefined ? '' : ` ${this.#numberOf(condense)}`;
    const name = `${this.#numberOf(question.sql)}${condensing} ${JSON.stringify(others)}`;
    const placeOf = this.#places.of(name);
    const stampOf = new Map(channels.map((channel, index) => [channel, stamps[index]!]));
    const answer: Row[] = [];
    const take = (number: number, block: Rows) => {
      for (const row of cutBlock(block, number * size, size, first, last)) answer.push(row);
    };
    const missing: BlockKey[] = [];
    for (const [channel, stamp] of stampOf)
      for (let number = range.from; number <= range.to; number++) {
        const place = placeOf(channel, number);
        const known = place && this.#find(place, stamp);
        if (known !== undefined) take(number, known);
        else missing.push({ channel, number });
      }
    const blocks = stampOf.size * (range.to - range.from + 1);
    this.countLookup('rows', true, blocks - missing.length);
    this.countLookup('rows', false, missing.length);
    if (missing.length > 0) {
      const rowsOf = await readBlocks(view, question, parameters, missing, size);
      for (const { channel, number } of missing) {
        const rows = rowsOf(channel, number);
        const block = condense === undefined ? { rows } : { rows: [], condensed: condense(rows) };
        const place = this.#places.add(name, channel, number);
        this.#cacheBlock(place, { stamp: stampOf.get(channel)!, ...block });
        take(number, block);
      }
    }
    return answer;
  }
}

/** A block of days of a channel, by its place among all blocks. */
type BlockKey = { readonly channel: number; readonly number: number };

/** The rows on the days from `first` to `last` of a block that starts on day `start`. */
function cutBlock(
  { rows, condensed }: Rows,
  start: number,
  size: number,
  first: number,
  last: number,
): readonly Row[] {
  if (condensed !== undefined) return condensed.cut(first, last);
  if (first <= start && last >= start + size - 1) return rows;
  return rows.filter(({ day }) => (day as number) >= first && (day as number) <= last);
}

/** Asks one question for the missing blocks and those between them. Returns the rows of each. */
async function readBlocks(
  view: View,
  question: Question,
  parameters: Parameters,
  missing: readonly BlockKey[],
  size: number,
): Promise<(channel: number, number: number) => readonly Row[]> {
  const numbers = missing.map(({ number }) => number);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const channels = [...new Set(missing.map(({ channel }) => channel))];
  const isOfOne = 'channel' in question.parameters;
  const found = await view.ask(question, {
    ...parameters,
    ...(isOfOne ? { channel: channels[0]! } : { channels }),
    first: from * size,
    last: (to + 1) * size - 1,
  });
  const read = new Map(
    channels.map((channel) => [channel, Array.from({ length: to - from + 1 }, (): Row[] => [])]),
  );
  for (const row of found) {
    const channel = isOfOne ? channels[0]! : (row.channel as number);
    read.get(channel)![Math.floor((row.day as number) / size) - from]!.push(row);
  }
  return (channel, number) => read.get(channel)![number - from]!;
}

/** Keys of rows begin with a number; this key does not. */
function answerKey(key: string): string {
  return ` ${key}`;
}

function bytesOf(entry: Entry | CachedAnswer, key: string | Place): number {
  const keyLength = typeof key === 'string' ? key.length : key.question.length;
  if ('parts' in entry) return bytesPerEntry + 2 * keyLength + bytesOfParts(entry.parts);
  const { stamp, rows, condensed } = entry;
  const cells = rows.length === 0 ? 0 : Object.keys(rows[0]!).length;
  const texts = rows.reduce((sum, row) => sum + textBytes(row), 0);
  const bytesOfKey = 2 * (keyLength + stamp.length);
  const ofRows = rows.length * (bytesPerRow + cells * bytesPerCell) + texts;
  return bytesPerEntry + bytesOfKey + ofRows + (condensed?.bytes ?? 0);
}

/** The same bytes in their own memory: a small buffer retains the whole pool that it is part of. */
function unpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** The bytes of the parts of an answer. */
export function bytesOfParts(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function textBytes(row: Row): number {
  let bytes = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string') bytes += 2 * value.length;
  }
  return bytes;
}

/** The warehouse behind a working set. */
export function cached(warehouse: Warehouse, workingSet: WorkingSet): CachedWarehouse {
  const beside = <Limits extends QueryLimits>(limits: Limits): Limits => {
    limits.reads?.noteUnknown();
    return limits;
  };
  const own: Pick<CachedWarehouse, 'ask' | 'stream' | 'read' | 'readCached'> = {
    ask: (question, parameters, limits) => warehouse.ask(question, parameters, beside(limits)),
    stream: (question, parameters, limits) =>
      warehouse.stream(question, parameters, beside(limits)),
    read: (channels, limits, use) => warehouse.read(channels, beside(limits), use),
    async readCached<T>(
      channels: readonly number[],
      limits: QueryLimits,
      use: (ask: Ask) => Promise<T>,
    ): Promise<T> {
      const { reads } = limits;
      try {
        return await warehouse.view(channels, limits, (view) =>
          use(workingSet.answering(view, reads)),
        );
      } catch (error) {
        if (!(error instanceof FactsChanged)) throw error;
      }
      // While facts change, an answer comes from one snapshot with unknown stamps.
      reads?.noteUnknown();
      return await warehouse.read(channels, limits, (ask) => use(ask));
    },
  };
  return overlay(warehouse, own);
}
