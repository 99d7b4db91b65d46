/** The connections of the embedded warehouse that answer questions. */
import type { DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from '../clock.ts';
import { StoreUnavailable } from '../errors.ts';
import { startRead } from '../reading.ts';
import type { QueryLimits } from '../warehouse.ts';
import type { Reader } from './queries.ts';
import { PreparedStatements } from './statements.ts';

/** An interrupt misses a statement that still waits for a thread, so it is repeated. */
const interruptMilliseconds = 20;

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
  readonly #clock: Clock;
  readonly #idle: Reader[] = [];
  readonly #waiting: ((reader: Reader) => void)[] = [];
  #opened = 0;
  #isClosed = false;

  constructor(instance: DuckDBInstance, readersMax: number, clock: Clock) {
    this.#instance = instance;
    this.#readersMax = readersMax;
    this.#clock = clock;
  }

  /** Leases a reader, and interrupts it at the deadline or when the caller has gone. */
  async acquire(limits: QueryLimits): Promise<Lease> {
    const { signal, end } = startRead(limits, this.#clock);
    let reader: Reader;
    try {
      reader = await this.#take(signal);
    } catch (error) {
      end();
      throw error;
    }
    const { connection } = reader;
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      interrupting = setInterval(() => connection.interrupt(), interruptMilliseconds);
    };
    signal.addEventListener('abort', interrupt);
    let hasBegun = false;
    const putBack = async () => {
      signal.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
      end();
      if (hasBegun) await connection.run('ROLLBACK').catch(() => undefined);
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

  /** Closes the idle readers; the others close when they are released. */
  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#idle.splice(0)) connection.closeSync();
  }

  async #take(signal: AbortSignal): Promise<Reader> {
    if (this.#isClosed) throw new StoreUnavailable('warehouse', new Error('closed'));
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
