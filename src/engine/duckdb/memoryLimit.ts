/** The memory of DuckDB, which depends on what it does. */
import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB's memory during large imports, in megabytes. Staged rows would fill any memory, and
 * imports do not take longer with this. Questions beside them need more, and so do rollups and
 * comparisons of staged rows.
 */
const importMegabytes = { least: 96, demanded: 128 };
/** Its memory for questions that spill to disk, which take half as long again with less. */
const spillingMegabytes = 160;

/** How much work needs: all there is, or what a question that spills to disk does with. */
export type Demand = 'all' | 'spilling';

/** Sets how much memory DuckDB may use. */
export class MemoryLimit {
  readonly #setMegabytes: (megabytes: number) => Promise<void>;
  readonly #megabytesMax: number;
  readonly #largeBatches = new Set<DuckDBConnection>();
  readonly #demands: Record<Demand, number> = { all: 0, spilling: 0 };
  #megabytes: number;
  /** The limit that was set last, or is about to be. */
  #last: number;
  #setting: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `megabytesMax` is the limit that DuckDB has already; `setMegabytes` gives it another. */
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

  /** Notes the end of such work, which need not wait until DuckDB has less again. */
  async end(demand: Demand = 'all'): Promise<void> {
    this.#demands[demand]--;
    await this.#set();
  }

  /** Leaves the limit as it is from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** The limit that all work at this moment calls for. */
  #wanted(): number {
    const { all, spilling } = this.#demands;
    const { least, demanded } = importMegabytes;
    const ofImports = all + spilling > 0 ? demanded : least;
    const ofQuestions = all === 0 && spilling > 0 ? spillingMegabytes : Number.POSITIVE_INFINITY;
    const megabytes = this.#largeBatches.size > 0 ? ofImports : ofQuestions;
    return Math.min(this.#megabytesMax, megabytes);
  }

  /** Sets the limit that is wanted, unless it is set or about to be. */
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
          // Refused where more is in use: then it may stay in use until the next change.
          this.#last = this.#megabytes;
        },
      );
    });
    return this.#setting;
  }
}
