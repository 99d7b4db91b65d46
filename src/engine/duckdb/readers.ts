/** The connections of the embedded warehouse that answer questions. */
import type { DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from '../clock.ts';
import { StoreUnavailable } from '../errors.ts';
import { startRead } from '../reading.ts';
import type { QueryLimits } from '../warehouse.ts';
import { interrupt } from './interrupt.ts';
import type { MemoryLimit } from './memoryLimit.ts';
import type { Reader } from './queries.ts';
import { PreparedStatements } from './statements.ts';

/** A reader that one caller uses until it is released. */
export type Lease = {
  readonly reader: Reader;
  readonly signal: AbortSignal;
  /** Starts a transaction, so that all questions see the same snapshot. */
  begin(): Promise<void>;
  /** Returns the reader to the pool. May be called repeatedly. */
  release(): Promise<void>;
};

/** A pool of readers. */
export class ReaderPool {
  readonly #instance: DuckDBInstance;
  readonly #readersMax: number;
  readonly #memory: MemoryLimit;
  readonly #clock: Clock;
  readonly #idle: Reader[] = [];
  /** Functions that each interrupt a reader in use. */
  readonly #interrupts = new Set<() => void>();
  readonly #waiting: ((reader: Reader) => void)[] = [];
  #opened = 0;
  #isClosed = false;

  constructor(instance: DuckDBInstance, readersMax: number, memory: MemoryLimit, clock: Clock) {
    this.#instance = instance;
    this.#readersMax = readersMax;
    this.#memory = memory;
    this.#clock = clock;
  }

  /** Leases a reader, and interrupts it at the deadline or when the caller has gone. */
  async acquire(limits: QueryLimits): Promise<Lease> {
    const { signal, end } = startRead(limits, this.#clock);
    const demand = limits.spills ? 'spilling' : 'all';
    let reader: Reader;
    await this.#memory.begin(demand);
    try {
      signal.throwIfAborted();
      reader = await this.#takeOpen(signal);
    } catch (error) {
      void this.#memory.end(demand);
      end();
      throw error;
    }
    const { connection } = reader;
    let endInterrupt: (() => void) | undefined;
    const cancel = () => {
      endInterrupt ??= interrupt(connection);
    };
    this.#interrupts.add(cancel);
    signal.addEventListener('abort', cancel);
    let hasBegun = false;
    const putBack = async () => {
      signal.removeEventListener('abort', cancel);
      this.#interrupts.delete(cancel);
      endInterrupt?.();
      end();
      if (hasBegun) await connection.run('ROLLBACK').catch(() => undefined);
      void this.#memory.end(demand);
      this.#put(reader);
    };
    let released: Promise<void> | undefined;
    return {
      reader,
      signal,
      async begin() {
        hasBegun = true;
        await connection.run('BEGIN TRANSACTION READ ONLY');
      },
      async release() {
        // Deferred, because `end` aborts the signal and listeners may call this again.
        released ??= Promise.resolve().then(putBack);
        await released;
      },
    };
  }

  /** Closes the idle readers, and interrupts the others, which close when they are released. */
  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#idle.splice(0)) connection.closeSync();
    for (const cancel of this.#interrupts) cancel();
  }

  async #takeOpen(signal: AbortSignal): Promise<Reader> {
    const reader = await this.#take(signal);
    if (!this.#isClosed) return reader;
    this.#put(reader);
    throw new StoreUnavailable('warehouse', new Error('closed'));
  }

  async #take(signal: AbortSignal): Promise<Reader> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#opened < this.#readersMax) {
      this.#opened++;
      const connection = await this.#instance.connect();
      return { connection, statements: new PreparedStatements(connection) };
    }
    return await new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason);
      };
      const take = (reader: Reader) => {
        signal.removeEventListener('abort', leave);
        resolve(reader);
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', leave);
    });
  }

  #put(reader: Reader): void {
    const next = this.#waiting.shift();
    if (next) next(reader);
    else if (this.#isClosed) reader.connection.closeSync();
    else this.#idle.push(reader);
  }
}
