/** Adapts DuckDB's memory limit to its work. */
import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB's memory during large imports, in megabytes. Staged rows would fill any memory, and
 * imports take no longer with this much. Concurrent questions need more, and so do rollups and
 * comparisons of staged rows.
 */
const importMegabytes = { least: 96, demanded: 128 };
/** Its memory for questions that spill to disk, which take half as long again with less. */
const spillingMegabytes = 160;

/** The memory that work needs: all of it, or as much as a question that spills to disk. */
export type Demand = 'all' | 'spilling';

/** Sets how much memory DuckDB may use. */
export class MemoryLimit {
  readonly #setMegabytes: (megabytes: number) => Promise<void>;
  readonly #megabytesMax: number;
  readonly #largeBatches = new Set<DuckDBConnection>();
  readonly #demands: Record<Demand, number> = { all: 0, spilling: 0 };
  #megabytes: number;
  /** The limit that was set last, or is about to be set. */
  #last: number;
  #setting: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `megabytesMax` is DuckDB's current limit; `setMegabytes` changes it. */
  constructor(setMegabytes: (megabytes: number) => Promise<void>, megabytesMax: number) {
    this.#setMegabytes = setMegabytes;
    this.#megabytesMax = megabytesMax;
    this.#megabytes = megabytesMax;
    this.#last = megabytesMax;
  }

  /** Notes that an import batch is large: until it ends, DuckDB has less memory. */
  async addLargeBatch(batch: DuckDBConnection): Promise<void> {
    if (this.#largeBatches.has(batch)) return;
    this.#largeBatches.add(batch);
    await this.#set();
  }

  /** Notes the end of an import batch. */
  async removeBatch(batch: DuckDBConnection): Promise<void> {
    if (this.#largeBatches.delete(batch)) await this.#set();
  }

  /** Does work that needs more memory, once DuckDB has it. */
  async withMore<T>(work: () => Promise<T>): Promise<T> {
    await this.begin();
    try {
      return await work();
    } finally {
      await this.end();
    }
  }

  /** Notes the start of work that needs more memory; resolves once DuckDB has it. */
  async begin(demand: Demand = 'all'): Promise<void> {
    this.#demands[demand]++;
    await this.#set();
  }

  /** Notes the end of such work; nothing waits until DuckDB has less again. */
  async end(demand: Demand = 'all'): Promise<void> {
    this.#demands[demand]--;
    await this.#set();
  }

  /** Never changes the limit again. */
  close(): void {
    this.#isClosed = true;
  }

  /** The limit that the current work calls for. */
  #wanted(): number {
    const { all, spilling } = this.#demands;
    const { least, demanded } = importMegabytes;
    const ofImports = all + spilling > 0 ? demanded : least;
    const ofQuestions = all === 0 && spilling > 0 ? spillingMegabytes : Number.POSITIVE_INFINITY;
    const megabytes = this.#largeBatches.size > 0 ? ofImports : ofQuestions;
    return Math.min(this.#megabytesMax, megabytes);
  }

  /** Sets the wanted limit, unless it is set or about to be set. */
  #set(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === this.#last) return this.#setting;
    this.#last = wanted;
    this.#setting = this.#setting.then(async () => {
      const next = this.#wanted();
      if (this.#isClosed || next === this.#megabytes) return;
      await this.#setMegabytes(next).then(
        () => {
          this.#megabytes = next;
        },
        () => {
          // DuckDB refuses a limit below its current use: the old limit then stays until the next
          // change.
          this.#last = this.#megabytes;
        },
      );
    });
    return this.#setting;
  }
}
