/** The connection to ClickHouse: sends statements, cancels them and translates errors. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  type ClickHouseClient,
  type ClickHouseSettings,
  drainStream,
  type Row as Line,
  type StreamReadable,
} from '@clickhouse/client';
import { type Clock, rest } from '../clock.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Cancellation } from '../reading.ts';
import { ServerWatch } from '../serverWatch.ts';
import type { Row } from '../warehouse.ts';
import { type Answer, rowsOf, StreamedRows } from './answers.ts';
import {
  type Connections,
  closeAll,
  connect,
  type ServerAddress,
  type Session,
} from './connections.ts';
import {
  isUnavailable,
  type StatementSettings,
  statementBytesMax,
  statementSettings,
} from './settings.ts';

const ownStatement = 'a statement of its own';
/** Changes wait longer for a silent server than questions. */
const changePatience = 2;

/** A statement that reads. */
export type Statement = {
  readonly sql: string;
  readonly parameters?: Record<string, unknown>;
  /** Its name in errors. */
  readonly name?: string;
  /** How much longer than usual the server may be silent. */
  readonly patience?: number;
  /** The other servers that the server reads from: the statement ends when one falls silent. */
  readonly sources?: readonly Client[];
};

type Watched = Pick<Statement, 'name' | 'patience' | 'sources'>;

/** The limits of the connection. */
export type ClientLimits = {
  readonly connectionsMax: number;
  /** How long the server may answer nothing, not even a probe. */
  readonly silenceMilliseconds: number;
  /** The memory limit of one statement on the server. */
  readonly memoryBytesMax: number;
  /** Whether the server has replicas. */
  readonly isReplicated: boolean;
};

/** A connection to one database. */
export class Client {
  /** The name of the database, quoted. */
  readonly database: string;
  readonly clock: Clock;
  readonly #client: ClickHouseClient;
  /** Asks questions; the same client unless questions have their own user. */
  readonly #reader: ClickHouseClient;
  readonly #watch: ServerWatch;
  readonly #probes: ClickHouseClient;
  readonly #settings: StatementSettings;
  /** False if the user may only read: such a user may not set `readonly` either. */
  readonly #mayWrite: boolean;
  #isClosed = false;

  private constructor(
    { client, reader, probes }: Connections,
    { memoryBytesMax, silenceMilliseconds, isReplicated }: ClientLimits,
    clock: Clock,
    { permitted, name }: Session,
  ) {
    this.#client = client;
    this.#reader = reader;
    this.#probes = probes;
    this.#settings = statementSettings(memoryBytesMax, isReplicated);
    this.clock = clock;
    const probe = async (abort_signal: AbortSignal) => {
      const answer = await probes.ping({ select: false, abort_signal });
      if (!answer.success) throw answer.error;
    };
    this.#watch = new ServerWatch({ store: 'warehouse', probe, silenceMilliseconds }, clock);
    this.#mayWrite = permitted === '0';
    this.database = `\`${name.replaceAll('`', '``')}\``;
  }

  /** Connects. Throws StoreUnavailable if the server does not answer. */
  static async open(address: ServerAddress, limits: ClientLimits, clock: Clock): Promise<Client> {
    const { session, ...connections } = await connect(address, limits.connectionsMax, clock);
    return new Client(connections, limits, clock, session);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch.close();
    await closeAll({ client: this.#client, reader: this.#reader, probes: this.#probes });
  }

  /** Throws StoreUnavailable if the connection is closed. */
  checkOpen(): void {
    if (this.#isClosed) throw new StoreUnavailable('warehouse', new Error('closed'));
  }

  /** Runs a statement that changes something, to its end. */
  async run(sql: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.write(sql, settings);
  }

  /** Does the same and returns how many rows it wrote, or 0 if the server does not say. */
  async write(sql: string, settings: ClickHouseSettings = {}): Promise<number> {
    const send = (abort_signal: AbortSignal) =>
      this.#client.command({
        query: sql,
        clickhouse_settings: { ...this.#settings.write, ...settings },
        abort_signal,
      });
    const { summary } = await this.#guarded(send, { patience: changePatience });
    return Number(summary?.written_rows ?? 0);
  }

  /** Runs statements at the same time, and waits for all of them even if one fails. */
  async runAll(statements: readonly string[]): Promise<void> {
    await allSettled(statements.map((sql) => this.run(sql)));
  }

  /** Deletes the rows that meet a condition, if there are any. */
  async delete(table: string, condition: string): Promise<void> {
    const [found] = await this.rows(`SELECT count() AS found FROM ${table} WHERE ${condition}`);
    if (found!.found === 0) return;
    await this.run(`ALTER TABLE ${table} DELETE WHERE ${condition}`, {
      mutations_sync: this.#settings.write.mutations_sync ?? '1',
    });
  }

  /** Streams a CSV file into an INSERT statement and returns how many rows it wrote. */
  async load(sql: string, file: string): Promise<number> {
    const send = async (abort_signal: AbortSignal) => {
      const { stream, summary } = await this.#client.exec({
        query: sql,
        values: createReadStream(file),
        clickhouse_settings: this.#settings.stage,
        abort_signal,
      });
      await drainStream(stream);
      return Number(summary?.written_rows ?? 0);
    };
    return await this.#guarded(send, { patience: changePatience });
  }

  /** The rows of a statement without a deadline, as changes need them. */
  async rows(
    sql: string,
    parameters: Record<string, unknown> = {},
    patience = changePatience,
  ): Promise<Row[]> {
    return await this.#read({ sql, parameters, patience }, randomUUID());
  }

  /** The rows of a statement that may be cancelled. */
  async read(statement: Statement, cancellation: Cancellation): Promise<Row[]> {
    const { signal } = cancellation;
    signal.throwIfAborted();
    const queryId = randomUUID();
    const reading = this.#read(statement, queryId, cancellation);
    const cancelled = Promise.withResolvers<never>();
    const cancel = () => {
      cancelled.reject(signal.reason);
      this.#kill(queryId);
    };
    signal.addEventListener('abort', cancel, { once: true });
    reading.catch(ignore);
    try {
      return await Promise.race([reading, cancelled.promise]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The rows of a statement in portions, as the server finds them. */
  async *stream(statement: Statement, cancellation: Cancellation): AsyncIterable<Row[]> {
    const { signal } = cancellation;
    signal.throwIfAborted();
    const { sql, parameters = {}, ...watched } = statement;
    const queryId = randomUUID();
    const rows = new StreamedRows();
    let lines: StreamReadable<Line[]> | undefined;
    // The signal calls this, too, while the caller works on a portion.
    const cancel = () => {
      lines?.destroy();
      this.#kill(queryId);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await this.#guarded(
        (silence) =>
          this.#reader.query({
            query: sql,
            query_id: queryId,
            format: 'CustomSeparatedWithNamesAndTypes',
            query_params: parameters,
            clickhouse_settings: { ...this.#settings.stream, ...this.#limitsOf(cancellation) },
            abort_signal: AbortSignal.any([signal, silence]),
          }),
        watched,
      );
      lines = answer.stream();
      const portions: AsyncIterator<Line[]> = lines[Symbol.asyncIterator]();
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await this.#guarded(() => portions.next(), watched);
        if (done) break;
        const portion = rows.read(value);
        if (portion.length > 0) yield portion;
      }
      if (!rows.isComplete)
        throw new StoreUnavailable('warehouse', new Error('an answer broke off'));
    } finally {
      signal.removeEventListener('abort', cancel);
      if (!rows.isComplete) cancel();
    }
  }

  /** Writes the answer of a statement to a new file, as Parquet. */
  async save(statement: Statement, cancellation: Cancellation, file: string): Promise<void> {
    const { sql, parameters = {}, ...watched } = statement;
    const { signal } = cancellation;
    signal.throwIfAborted();
    const query_id = randomUUID();
    const cancel = () => this.#kill(query_id);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await this.#guarded(async (silence) => {
        const abort_signal = AbortSignal.any([signal, silence]);
        const { stream } = await this.#reader.exec({
          query: `${sql} FORMAT Parquet`,
          query_id,
          query_params: parameters,
          abort_signal,
          clickhouse_settings: { ...this.#settings.parquet, ...this.#limitsOf(cancellation) },
        });
        await pipeline(stream, createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
          signal: abort_signal,
        });
        if (!(await isWholeParquet(file))) throw new Error('an answer broke off');
      }, watched);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Waits before a statement is tried again. */
  async rest(milliseconds: number): Promise<void> {
    await rest(this.clock, milliseconds);
  }

  async #read(
    { sql, parameters = {}, ...watched }: Statement,
    queryId: string,
    cancellation?: Cancellation,
  ): Promise<Row[]> {
    const send = async (silence: AbortSignal) => {
      const answer = await (cancellation ? this.#reader : this.#client).query({
        query: sql,
        query_id: queryId,
        format: 'JSONCompact',
        query_params: parameters,
        clickhouse_settings: { ...this.#settings.read, ...this.#limitsOf(cancellation) },
        abort_signal: cancellation ? AbortSignal.any([cancellation.signal, silence]) : silence,
      });
      return rowsOf((await answer.json()) as Answer);
    };
    return await this.#guarded(send, watched);
  }

  #limitsOf(cancellation: Cancellation | undefined): ClickHouseSettings {
    const hasOwnUser = cancellation !== undefined && this.#reader !== this.#client;
    return {
      ...(this.#mayWrite && !hasOwnUser && { readonly: '1' }),
      ...(cancellation
        ? { max_execution_time: Math.max(1, Math.ceil(cancellation.millisecondsLeft() / 1000) + 1) }
        : { max_query_size: statementBytesMax }),
    };
  }

  /** Nobody waits for this. Without it, the server does not always notice a broken connection. */
  #kill(queryId: string): void {
    const query = `KILL QUERY WHERE query_id = '${queryId}' ASYNC`;
    this.#watch
      .during((abort_signal) => this.#reader.command({ query, abort_signal }))
      .catch(ignore);
  }

  /** The server's errors may quote SQL and facts, so messages do not repeat them. */
  async #guarded<T>(
    work: (silence: AbortSignal) => Promise<T>,
    { name = ownStatement, patience = 1, sources = [] }: Watched,
  ): Promise<T> {
    this.checkOpen();
    const watching = sources.reduce<typeof work>(
      (inner, source) => (silence) =>
        source.#watch.during((lost) => inner(AbortSignal.any([silence, lost])), patience),
      work,
    );
    try {
      return await this.#watch.during(watching, patience);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (isUnavailable(error)) throw new StoreUnavailable('warehouse', error);
      throw new Error(`The warehouse could not carry out ${name}`, { cause: error });
    }
  }
}

/** Whether a file ends as Parquet does: an incomplete answer lacks this end. */
async function isWholeParquet(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return buffer.toString() === 'PAR1';
  } finally {
    await file.close();
  }
}

/** Waits for all, even if one fails, so that none continues unattended; then throws the error. */
export async function allSettled<T>(
  work: readonly (Promise<T> | undefined)[],
): Promise<(T | undefined)[]> {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

function ignore(): void {}
