/** The memory of DuckDB, which depends on what it does. */
import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB's memory during large imports, in megabytes. Staged rows would fill any memory, and
 * imports do not take longer with this. Questions beside them need more, and so do rollups and
 * comparisons of staged rows.
 */
const importMegabytes = { least: 96, demanded: 128 };

/** Sets how much memory DuckDB may use. */
export class MemoryLimit {
  readonly #setMegabytes: (megabytes: number) => Promise<void>;
  readonly #megabytesMax: number;
  readonly #largeBatches = new Set<DuckDBConnection>();
  #demands = 0;
  #megabytes: number;
  #setting: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `megabytesMax` is the limit that DuckDB has already; `setMegabytes` gives it another. */
  constructor(setMegabytes: (megabytes: number) => Promise<void>, megabytesMax: number) {
    this.#setMegabytes = setMegabytes;
    this.#megabytesMax = megabytesMax;
    this.#megabytes = megabytesMax;
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
  async begin(): Promise<void> {
    if (this.#demands++ === 0 && this.#largeBatches.size > 0) await this.#set();
    else await this.#setting;
  }

  /** Notes the end of such work, which need not wait until DuckDB has less again. */
  async end(): Promise<void> {
    if (--this.#demands === 0 && this.#largeBatches.size > 0) await this.#set();
  }

  /** Leaves the limit as it is from now on. */
  close(): void {
    this.#isClosed = true;
  }

  #set(): Promise<void> {
    this.#setting = this.#setting.then(async () => {
      const { least, demanded } = importMegabytes;
      const ofImports = this.#demands > 0 ? demanded : least;
      const megabytes = this.#largeBatches.size > 0 ? ofImports : Number.POSITIVE_INFINITY;
      const next = Math.min(this.#megabytesMax, megabytes);
      if (this.#isClosed || next === this.#megabytes) return;
      // Refused where more is in use: then it may stay in use.
      await this.#setMegabytes(next).then(
        () => {
          this.#megabytes = next;
        },
        () => undefined,
      );
    });
    return this.#setting;
  }
}
