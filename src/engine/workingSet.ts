/**
 * The working set: answers of questions in memory, each with the stamps of the tables that it was
 * read from. An answer is used only while the tables still have these stamps, so it never differs
 * from a fresh answer.
 */
import { LRUCache } from 'lru-cache';
import { type Meter, silentMeter } from '../observation/meter.ts';
import { overlay } from './overlay.ts';
import { channelsOf, type Question } from './question.ts';
import type { CachedAsk, Segments } from './segments/router.ts';
import { FactsChanged, type Reads } from './stamps.ts';
import type { Ask, Parameters, QueryLimits, Row, View, Warehouse } from './warehouse.ts';

/** Larger answers are not cached. */
const entryBytesMax = 4_000_000;

/** The number of requests to remember as sent once. */
const requestedOnceMax = 20_000;

const bytesPerEntry = 300;
const bytesPerRow = 80;
const bytesPerCell = 20;

/** The rows of an answer. */
type Entry = { readonly rows: readonly Row[]; readonly stamp: string };

/** A whole answer as JSON in parts, its entity tag, and what it was read from. */
export type CachedAnswer = {
  readonly parts: readonly Buffer[];
  readonly tag: string;
  /** The content coding of the parts; undefined for none. */
  readonly encoding?: 'zstd' | 'br' | 'gzip' | undefined;
  readonly reads: Reads;
};

/** A warehouse with cached answers. */
export interface CachedWarehouse extends Warehouse {
  /**
   * Like `read`, but answers come from memory or from segments if they still match the facts. `use`
   * may be called again from its start.
   */
  readCached<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: CachedAsk) => Promise<T>,
  ): Promise<T>;
}

/** Caches answers up to `bytesMax` bytes; the least recently used go first. */
export class WorkingSet {
  readonly #entries: LRUCache<string, Entry | CachedAnswer> | undefined;
  readonly #meter: Meter;
  readonly #questions = new Map<string, number>();
  readonly #requestedOnce = new LRUCache<string, true>({ max: requestedOnceMax });

  constructor(bytesMax: number, meter: Meter = silentMeter) {
    this.#meter = meter;
    meter.gauge('vitrine_working_set_bytes', () => [[{}, this.bytes]]);
    if (bytesMax > 0)
      this.#entries = new LRUCache({
        maxSize: bytesMax,
        maxEntrySize: Math.min(bytesMax, entryBytesMax),
        sizeCalculation: (entry, key) => bytesOf(entry, key),
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

  /** Questions with one name may have different bodies. */
  #numberOf(body: string): number {
    const number = this.#questions.get(body) ?? this.#questions.size;
    this.#questions.set(body, number);
    return number;
  }

  #find(key: string, stamp: string): Entry | undefined {
    const found = this.#entries?.get(key);
    return found !== undefined && 'rows' in found && found.stamp === stamp ? found : undefined;
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
      return (await this.#answer(view, question, parameters, stamps)) as R[];
    };
    return Object.assign(ask, { isCached: this.#entries !== undefined });
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
}

/** Keys of rows begin with a number; this key does not. */
function answerKey(key: string): string {
  return ` ${key}`;
}

function bytesOf(entry: Entry | CachedAnswer, key: string): number {
  if ('parts' in entry) return bytesPerEntry + 2 * key.length + bytesOfParts(entry.parts);
  const { stamp, rows } = entry;
  const cells = rows.length === 0 ? 0 : Object.keys(rows[0]!).length;
  const texts = rows.reduce((sum, row) => sum + textBytes(row), 0);
  const bytesOfKey = 2 * (key.length + stamp.length);
  const ofRows = rows.length * (bytesPerRow + cells * bytesPerCell) + texts;
  return bytesPerEntry + bytesOfKey + ofRows;
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

/** The warehouse behind a working set and segments. */
export function cached(
  warehouse: Warehouse,
  workingSet: WorkingSet,
  segments: Segments,
): CachedWarehouse {
  const beside = <Limits extends QueryLimits>(limits: Limits): Limits => {
    limits.reads?.noteUnknown();
    return limits;
  };
  const own: Pick<CachedWarehouse, 'ask' | 'stream' | 'read' | 'readCached' | 'deleteFacts'> = {
    ask: (question, parameters, limits) => warehouse.ask(question, parameters, beside(limits)),
    stream: (question, parameters, limits) =>
      warehouse.stream(question, parameters, beside(limits)),
    read: (channels, limits, use) => warehouse.read(channels, beside(limits), use),
    async deleteFacts(channel) {
      await warehouse.deleteFacts(channel);
      await segments.delete(channel);
    },
    async readCached<T>(
      channels: readonly number[],
      limits: QueryLimits,
      use: (ask: CachedAsk) => Promise<T>,
    ): Promise<T> {
      const { reads } = limits;
      try {
        return await warehouse.view(channels, limits, (view) => {
          const days = segments.reading(view, reads);
          return use(Object.assign(workingSet.answering(view, reads), { days }));
        });
      } catch (error) {
        if (!(error instanceof FactsChanged)) throw error;
      }
      // While facts change, an answer comes from one snapshot with unknown stamps.
      reads?.noteUnknown();
      return await warehouse.read(channels, limits, (ask) => {
        const days = segments.readingBeside(ask, 'changing');
        return use(Object.assign(ask, { days }));
      });
    },
  };
  return overlay(warehouse, own);
}
