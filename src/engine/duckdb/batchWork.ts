/** The work of an import batch on its connection. */
import type { DuckDBConnection } from '@duckdb/node-api';
import pLimit from 'p-limit';
import type { Database, OpenDatabase } from './database.ts';
import { interrupt } from './interrupt.ts';

/** The work of a batch on its connection, which closes when all work has ended. */
export class BatchWork {
  readonly #database: Database;
  /** The database of the connection; the batch ends with it. */
  readonly #open: OpenDatabase;
  readonly #connection: DuckDBConnection;
  /** A connection runs one statement at a time. */
  readonly #staging = pLimit(1);
  readonly #running = new Set<Promise<unknown>>();
  #ending: Promise<void> | undefined;

  constructor(database: Database, open: OpenDatabase, connection: DuckDBConnection) {
    this.#database = database;
    this.#open = open;
    this.#connection = connection;
  }

  /** Uses the database. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#database.use(work, this.#open);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Stages rows when it is their turn, as part of a use. */
  stageInTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#staging(() => {
      if (this.#ending !== undefined) throw new Error('the import was discarded');
      return work();
    });
  }

  /** Runs a statement that holds something of every staged row in memory, as part of a use. */
  async runWithMore(sql: string): Promise<void> {
    await this.#open.memory.withMore(() => this.#connection.run(sql));
  }

  /**
   * Interrupts the running statement and closes the connection. A connection that is closed while
   * it runs a statement never releases its thread.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#running.size > 0) {
      const endInterrupt = interrupt(this.#connection);
      await Promise.allSettled(this.#running);
      endInterrupt();
    }
    await this.#database.closeBatch(this.#open, this.#connection);
  }
}
