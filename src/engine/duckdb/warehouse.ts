/** The embedded warehouse: DuckDB in this process, one file under the data folder. */
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  DuckDBBigIntVector,
  DuckDBBooleanVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBDateVector,
  type DuckDBDecimal16Vector,
  type DuckDBDecimal32Vector,
  type DuckDBDecimal64Vector,
  type DuckDBDecimal128Vector,
  DuckDBHugeIntVector,
  DuckDBInstance,
  type DuckDBMaterializedResult,
  DuckDBTypeId,
  type DuckDBVector,
} from '@duckdb/node-api';
import {
  type ColumnType,
  type Dependency,
  dependencies,
  type FactTable,
  facts,
  factTable,
  historyMax,
  rollupSources,
  rollups,
  schemaVersion,
} from '../../../schema/warehouse/tables.ts';
import { StoreUnavailable } from '../errors.ts';
import type { StoreStatus } from '../health.ts';
import { type Question, question } from '../question.ts';
import { inTurn, type Stop, stopAt } from '../reading.ts';
import {
  ordersFromDay,
  rollupAsked,
  rollupDays,
  rollupQuestions,
  type TouchedDays,
} from '../rollup.ts';
import type {
  Ask,
  BatchKey,
  CommitResult,
  Coverage,
  DateRange,
  DuplicateRow,
  ImportBatch,
  Parameters,
  QueryLimits,
  Row,
  Stream,
  TableExtent,
  Warehouse,
} from '../warehouse.ts';
import { PreparedStatements, runStatement } from './statements.ts';

const readersMax = 8;
/** The most that DuckDB keeps in memory; what needs more goes through its temporary folder. */
const memoryLimit = '384MB';
const repeatedPage = 2048;
/** Decimal places of amounts in answers. */
const amountPlaces = 6;

const columnTypes: Record<ColumnType, string> = {
  Int32: 'INTEGER',
  Int64: 'BIGINT',
  Float64: 'DOUBLE',
  Text: 'VARCHAR',
  Date: 'DATE',
  Amount: 'DECIMAL(18,6)',
};

/** Those of rollups, whose amounts are sums and so may have more digits than any fact. */
const sumTypes: Record<ColumnType, string> = { ...columnTypes, Amount: 'DECIMAL(38,6)' };

/** Opens the warehouse in `folder`, which no other process may have open. */
export async function openDuckdb(folder: string): Promise<Warehouse> {
  const stagingFolder = join(folder, 'staging');
  const temporaryFolder = join(folder, 'temporary');
  mkdirSync(folder, { recursive: true });
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb')).catch(
    (error: Error) => {
      if (/lock/i.test(error.message)) {
        throw new Error(
          `Another process has the data folder ${folder} open: stop it, or set VITRINE_DATA to another folder`,
        );
      }
      throw error;
    },
  );
  // Whatever an earlier process staged was never acknowledged. Only now is it sure that no other process still works with it.
  for (const leftover of [stagingFolder, temporaryFolder])
    rmSync(leftover, { recursive: true, force: true });
  mkdirSync(stagingFolder, { recursive: true });
  const first = await instance.connect();
  const settings = {
    threads: String(Math.max(1, availableParallelism() >> 1)),
    memory_limit: memoryLimit,
    // Else memory that has been freed stays with each of the threads that have asked.
    allocator_background_threads: 'true',
    temp_directory: temporaryFolder,
    preserve_insertion_order: 'false',
    allowed_directories: [`${stagingFolder}/`],
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
    lock_configuration: 'true',
  };
  for (const [name, value] of Object.entries(settings)) {
    const literal = Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : quoted(value);
    await first.run(`SET ${name} = ${literal}`);
  }
  return new Duckdb(instance, first, stagingFolder);
}

/** A connection for reading, and the questions prepared on it. */
type Reader = {
  readonly connection: DuckDBConnection;
  readonly statements: PreparedStatements;
};

/** A reader that is lent for some questions. */
type Loan = {
  readonly reader: Reader;
  readonly stop: Stop;
  /** Makes the questions see one state. */
  begin(): Promise<void>;
  /** Gives the reader back. May be called again. */
  end(): Promise<void>;
};

class Duckdb implements Warehouse {
  readonly engine = 'duckdb';
  readonly stagingFolder: string;
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #idle: Reader[] = [];
  readonly #waiting: ((reader: Reader) => void)[] = [];
  #readers = 0;
  #closed = false;

  constructor(instance: DuckDBInstance, writer: DuckDBConnection, stagingFolder: string) {
    this.#instance = instance;
    this.#writer = writer;
    this.stagingFolder = stagingFolder;
  }

  async migrate(): Promise<void> {
    const run = (sql: string) => this.#writer.run(sql);
    await run('CREATE TABLE IF NOT EXISTS warehouse_version (version INTEGER)');
    const held = (
      await rowsOf(await run('SELECT max(version) AS version FROM warehouse_version'))
    )[0]!.version as number | null;
    if (held !== null && held > schemaVersion) {
      throw new Error(
        `The warehouse has schema version ${held}, newer than this program's ${schemaVersion}: use a newer release`,
      );
    }
    const create = (name: string, columns: string) =>
      run(
        `CREATE TABLE IF NOT EXISTS ${name} (channel INTEGER NOT NULL, import_id BIGINT NOT NULL, ${columns})`,
      );
    for (const { name, columns } of facts) await create(name, columnList(columns));
    for (const { name, columns, compactAmounts: narrow } of rollups)
      await create(name, columnList(columns, sumTypes, narrow));
    await run(
      'CREATE TABLE IF NOT EXISTS landing (import_id BIGINT NOT NULL, channel INTEGER NOT NULL)',
    );
    if (held !== schemaVersion)
      await run(`INSERT INTO warehouse_version VALUES (${schemaVersion})`);
  }

  async ask<R extends Row>(
    question: Question<R>,
    asked: Parameters,
    limits: QueryLimits,
  ): Promise<R[]> {
    return await this.#reading(limits, (loan) => askOn(loan, question, asked));
  }

  async *stream<R extends Row>(
    question: Question<R>,
    asked: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]> {
    const loan = await this.#lend(limits);
    let isTaken = false;
    // Whoever is long busy with a portion, or has forgotten to go on, keeps no reader from others.
    loan.stop.signal.addEventListener('abort', () => {
      if (isTaken) void loan.end();
    });
    try {
      await loan.begin();
      for await (const rows of streamOn(loan, question, asked)) {
        isTaken = true;
        yield rows;
        isTaken = false;
      }
    } catch (error) {
      throw reasonOf(error, loan.stop);
    } finally {
      await loan.end();
    }
  }

  async read<T>(
    _channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream) => Promise<T>,
  ): Promise<T> {
    return await this.#reading(limits, async (loan) => {
      await loan.begin();
      const { ask, stream } = inTurn(
        (question, asked) => askOn(loan, question, asked),
        (question, asked) => streamOn(loan, question, asked),
      );
      return await use(ask, stream);
    });
  }

  async begin(landing: BatchKey): Promise<ImportBatch> {
    return new DuckdbArrival(await this.#instance.connect(), landing);
  }

  async isCommitted(importId: number): Promise<boolean> {
    const rows = await rowsOf(
      await this.#writer.run('SELECT 1 AS landed FROM landing WHERE import_id = $1', [
        BigInt(importId),
      ]),
    );
    return rows.length > 0;
  }

  async rebuild(landing: BatchKey, timezone: string): Promise<void> {
    const { channel } = landing;
    await this.#changing(async (connection) => {
      const touched = await everyDay(connection, channel);
      for (const rollup of rollups)
        await connection.run(`DELETE FROM ${rollup.name} WHERE channel = ${channel}`);
      await computeRollups(connection, landing, timezone, touched, null);
      await connection.run(`INSERT INTO landing VALUES (${landing.importId}, ${channel})`);
    });
  }

  async deleteFacts(channel: number): Promise<void> {
    await this.#changing(async (connection) => {
      for (const { name } of [...facts, ...rollups])
        await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
    });
  }

  async extents(channel: number): Promise<TableExtent[]> {
    const parts = facts.map(({ name, day }) => {
      const reach = day === null ? 'NULL::DATE, NULL::DATE' : `min(${day}), max(${day})`;
      return `SELECT ${quoted(name)}, ${reach}, count(*) FROM ${name} WHERE channel = ${channel}`;
    });
    const rows = await rowsOf(
      await this.#writer.run(
        `SELECT * FROM (${parts.join(' UNION ALL ')}) AS reach("table", first_day, last_day, row_count) WHERE row_count > 0`,
      ),
    );
    return rows.map((row) => ({
      table: row.table as string,
      firstDay: row.first_day as number | null,
      lastDay: row.last_day as number | null,
      rows: row.row_count as number,
    }));
  }

  /** Nothing to do: DuckDB frees replaced rows by itself. */
  async prune(): Promise<void> {}

  async ping(): Promise<void> {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    await this.#writer.run('SELECT 1');
  }

  async checkHealth(): Promise<StoreStatus> {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    const [row] = await rowsOf(
      await this.#writer.run(
        'SELECT version() AS engine, (SELECT max(version) FROM warehouse_version) AS held',
      ),
    );
    const { engine, held } = row as { engine: string; held: number };
    return {
      engine: `DuckDB ${engine.replace(/^v/, '')}`,
      schema: { held, newest: schemaVersion },
      clock: null,
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writer.run('CHECKPOINT').catch(() => undefined);
    for (const { connection } of this.#idle) connection.closeSync();
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  /** One change of several statements, whole or not at all. */
  async #changing(change: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    const connection = await this.#instance.connect();
    try {
      await inTransaction(connection, () => change(connection));
    } finally {
      connection.closeSync();
    }
  }

  /** Lends a reader to `use`. */
  async #reading<T>(limits: QueryLimits, use: (loan: Loan) => Promise<T>): Promise<T> {
    const loan = await this.#lend(limits);
    try {
      return await use(loan);
    } catch (error) {
      throw reasonOf(error, loan.stop);
    } finally {
      await loan.end();
    }
  }

  /** Lends a reader, and stops what it is asked at the deadline or when the asker has gone. */
  async #lend(limits: QueryLimits): Promise<Loan> {
    const stop = stopAt(limits);
    let reader: Reader;
    try {
      reader = await this.#reader(stop.signal);
    } catch (error) {
      stop.end();
      throw error;
    }
    const { connection } = reader;
    const interrupt = () => connection.interrupt();
    stop.signal.addEventListener('abort', interrupt);
    let begun = false;
    const giveBack = async () => {
      stop.signal.removeEventListener('abort', interrupt);
      stop.end();
      if (begun) await connection.run('ROLLBACK').catch(() => undefined);
      this.#giveBack(reader);
    };
    let ended: Promise<void> | undefined;
    return {
      reader,
      stop,
      async begin() {
        begun = true;
        await connection.run('BEGIN TRANSACTION READ ONLY');
      },
      async end() {
        // Not at once, as the end of `stop` may call this again.
        ended ??= Promise.resolve().then(giveBack);
        await ended;
      },
    };
  }

  async #reader(signal: AbortSignal): Promise<Reader> {
    if (this.#closed) throw new StoreUnavailable('warehouse', new Error('closed'));
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#readers < readersMax) {
      this.#readers++;
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

  #giveBack(reader: Reader): void {
    const next = this.#waiting.shift();
    if (next) next(reader);
    else if (this.#closed) reader.connection.closeSync();
    else this.#idle.push(reader);
  }
}

/**
 * An import on its way into DuckDB. Rows wait in temporary tables of its own connection; landing is one transaction, which readers see
 * whole or not at all and which a crash undoes.
 */
class DuckdbArrival implements ImportBatch {
  readonly #connection: DuckDBConnection;
  readonly #landing: BatchKey;
  readonly #staged = new Set<string>();
  readonly #losersKnown = new Set<string>();

  constructor(connection: DuckDBConnection, landing: BatchKey) {
    this.#connection = connection;
    this.#landing = landing;
  }

  async stage(name: string, file: string): Promise<void> {
    const { columns } = factTable(name);
    if (!this.#staged.has(name)) {
      await this.#connection.run(
        `CREATE TEMPORARY TABLE stage_${name} (staged_number BIGINT NOT NULL, staged_line BIGINT NOT NULL, ${columnList(columns)})`,
      );
      this.#staged.add(name);
    }
    const types = Object.entries<ColumnType>({
      staged_number: 'Int64',
      staged_line: 'Int64',
      ...columns,
    }).map(([column, type]) => `'${column}': '${columnTypes[type]}'`);
    await this.#connection.run(
      `INSERT INTO stage_${name} SELECT * FROM read_csv(${quoted(file)}, auto_detect = false, header = false, delim = ',', quote = '"',
         escape = '"', nullstr = '\\N', allow_quoted_nulls = false, new_line = '\\n', max_line_size = 4194304, buffer_size = 8388608, columns = {${types.join(', ')}})`,
    );
  }

  async *duplicates(name: string): AsyncIterable<DuplicateRow[]> {
    if (!this.#staged.has(name) || factTable(name).replacement === 'byUnit') return;
    await this.#findLosers(factTable(name));
    for (let offset = 0; ; offset += repeatedPage) {
      const rows = await rowsOf(
        await this.#connection.run(
          `SELECT line, kept_line FROM loser_${name} ORDER BY number LIMIT ${repeatedPage} OFFSET ${offset}`,
        ),
      );
      if (rows.length === 0) return;
      yield rows.map((row) => ({ line: row.line as number, keptLine: row.kept_line as number }));
    }
  }

  async commit(days: Readonly<Record<string, Coverage>>, timezone: string): Promise<CommitResult> {
    const tables = [...new Set([...this.#staged, ...Object.keys(days)])].map(factTable);
    try {
      for (const name of this.#staged) await this.#findLosers(factTable(name));
      return await inTransaction(this.#connection, () => this.#change(tables, days, timezone));
    } finally {
      this.#connection.closeSync();
    }
  }

  async discard(): Promise<void> {
    this.#connection.closeSync();
  }

  /** Names the staged rows that give way to another row of their key. Hashes tell cheaply that there are none, as is usual. */
  async #findLosers({ name, key, replacement: keeping, columns }: FactTable): Promise<void> {
    if (this.#losersKnown.has(name)) return;
    const order =
      keeping === 'byDay'
        ? 'staged_number'
        : `${'updated_at' in columns ? 'updated_at DESC, ' : ''}staged_number DESC`;
    const rivals = `OVER (PARTITION BY ${key.join(', ')} ORDER BY ${order})`;
    await this.#connection.run(`CREATE TEMPORARY TABLE loser_${name} AS
      WITH twice AS (SELECT hash(${key.join(', ')}) AS key_hash FROM stage_${name} GROUP BY 1 HAVING count(*) > 1),
        rivals AS (SELECT staged_number, staged_line, first_value(staged_number) ${rivals} AS kept, first_value(staged_line) ${rivals} AS kept_line
                   FROM stage_${name} WHERE hash(${key.join(', ')}) IN (SELECT key_hash FROM twice))
      SELECT staged_number AS number, staged_line AS line, kept_line FROM rivals WHERE staged_number <> kept`);
    this.#losersKnown.add(name);
  }

  async #change(
    tables: readonly FactTable[],
    daysOf: Readonly<Record<string, Coverage>>,
    timezone: string,
  ): Promise<CommitResult> {
    const { channel, importId } = this.#landing;
    const connection = this.#connection;
    const ordersFromBefore = await firstPurchase(connection, channel);
    const rows: Record<string, number> = {};
    const touched = { days: new Map<string, number[]>(), watched: new Map<Dependency, number[]>() };
    let rowsOlder = 0;
    let rowsSuperseded: Record<string, number> = {};
    for (const watch of dependencies)
      if (this.#staged.has(watch.table)) touched.watched.set(watch, await this.#watchedDays(watch));
    for (const table of tables) {
      const { name, replacement: keeping, key, columns, history: remembers } = table;
      const staged = this.#staged.has(name);
      const daysSelected = async (sql: string) => {
        const found = await rowsOf(await connection.run(sql));
        touched.days.set(
          name,
          found.map((row) => row.day as number),
        );
      };
      let kept = `staged_number NOT IN (SELECT number FROM loser_${name})`;
      if (keeping === 'byDay') {
        const days = daysOf[name];
        if (!days)
          throw new Error(`Rows of ${name} were staged without the days that they stand for`);
        await connection.run(
          `DELETE FROM ${name} WHERE channel = ${channel} AND day BETWEEN ${date(days.first)} AND ${date(days.last)}${gives(table, days, staged)}`,
        );
        touched.days.set(name, everyDayOf(days));
        const outside = `day < ${date(days.first)} OR day > ${date(days.last)}`;
        if (staged && (await count(connection, `FROM stage_${name} WHERE ${outside}`)) > 0) {
          throw new Error(`Rows of ${name} were staged outside the days that they stand for`);
        }
      } else if (keeping === 'byUnit') {
        rowsSuperseded = { ...rowsSuperseded, ...(await this.#removeUnits(table, daysOf[name])) };
        const arriving = staged ? ` UNION SELECT day FROM stage_${name} WHERE ${kept}` : '';
        if (table.day) await daysSelected(`SELECT DISTINCT day FROM gone_${name}${arriving}`);
      }
      if (!staged) continue;
      if (keeping === 'byKey') {
        const newer = 'updated_at' in columns ? 'held.updated_at > staged.updated_at' : 'false';
        await connection.run(`CREATE TEMPORARY TABLE held_${name} AS
          SELECT held.rowid AS held_row, staged.staged_number AS number, ${newer} AS newer${table.day ? ', held.day' : ''}${remembers ? `, ${versionsOf(remembers)} AS versions` : ''}
          FROM ${name} AS held JOIN stage_${name} AS staged USING (${key.join(', ')}) WHERE held.channel = ${channel} AND ${kept}`);
        await connection.run(
          `DELETE FROM ${name} WHERE rowid IN (SELECT held_row FROM held_${name} WHERE NOT newer)`,
        );
        rowsOlder += await count(connection, `FROM held_${name} WHERE newer`);
        kept += ` AND staged_number NOT IN (SELECT number FROM held_${name} WHERE newer)`;
        if (rollupSources.includes(name)) {
          await daysSelected(
            `SELECT day FROM held_${name} WHERE NOT newer UNION SELECT day FROM stage_${name} WHERE ${kept}`,
          );
        }
      }
      const list = Object.keys(columns).join(', ');
      // By day alone: it is what questions skip blocks by, and sorting by text as well costs twice as much.
      const order = table.day ?? key.join(', ');
      const known = remembers
        ? ` LEFT JOIN (SELECT number, versions AS versions_held FROM held_${name}) ON number = staged_number`
        : '';
      const cells = Object.keys(columns).map((column) =>
        column === remembers?.column ? "coalesce(versions_held, '')" : column,
      );
      const inserted = await connection.run(
        `INSERT INTO ${name} (channel, import_id, ${list}) SELECT ${channel}, ${importId}, ${cells.join(', ')} FROM stage_${name}${known} WHERE ${kept} ORDER BY ${order}`,
      );
      rows[name] = inserted.rowsChanged;
    }
    await computeRollups(connection, this.#landing, timezone, touched, {
      ordersFromBefore: ordersFromDay(timezone, ordersFromBefore),
    });
    await connection.run(`INSERT INTO landing VALUES (${importId}, ${channel})`);
    return { rows, rowsOlder, rowsSuperseded };
  }

  /** Removes the held rows of the staged units and those that give way by the cover, and counts the latter per part. */
  async #removeUnits(
    { name, key, day, partition: part, identity: sameAs }: FactTable,
    cover: Coverage | undefined,
  ): Promise<Record<string, number>> {
    const connection = this.#connection;
    const staged = this.#staged.has(name);
    const held = (byUnit: boolean, condition: string) =>
      `SELECT rowid AS held_row, ${day ?? 'NULL::DATE'} AS day, ${part ?? "''"} AS part, ${byUnit} AS by_unit
       FROM ${name} WHERE channel = ${this.#landing.channel} AND ${condition}`;
    const gone = [
      held(true, staged ? `${key[0]} IN (SELECT ${key[0]} FROM stage_${name})` : 'false'),
    ];
    if (part && sameAs && cover?.parts && cover.parts.length > 0) {
      const [reference, instant] = sameAs;
      const spokenFor = `${part} IN (${cover.parts.map(quoted).join(', ')})`;
      if (cover.instants)
        gone.push(
          held(
            false,
            `${spokenFor} AND ${instant} BETWEEN ${cover.instants.from} AND ${cover.instants.to}`,
          ),
        );
      if (staged) {
        const same = `SELECT (${sameAs.join(', ')}) FROM stage_${name} WHERE staged_number NOT IN (SELECT number FROM loser_${name})`;
        gone.push(
          held(
            false,
            `${spokenFor} AND ${reference} <> '' AND (${sameAs.join(', ')}) IN (${same})`,
          ),
        );
      }
    }
    await connection.run(`CREATE TEMPORARY TABLE gone_${name} AS ${gone.join(' UNION ALL ')}`);
    await connection.run(`DELETE FROM ${name} WHERE rowid IN (SELECT held_row FROM gone_${name})`);
    const superseded = await connection.run(`SELECT part, count(*) AS counted
      FROM (SELECT any_value(part) AS part FROM gone_${name} GROUP BY held_row HAVING NOT bool_or(by_unit)) GROUP BY part`);
    return Object.fromEntries(
      (await rowsOf(superseded)).map((row) => [row.part as string, row.counted as number]),
    );
  }

  /** The days of the events that depend on staged things which differ from the held ones. */
  async #watchedDays({ table, columns, of, by, since }: Dependency): Promise<number[]> {
    const { channel } = this.#landing;
    const same = [...factTable(table).key, ...columns].join(', ');
    const found = await this.#connection.run(`
      WITH changed AS (
        SELECT ${by}${since ? `, min(${since}) AS since` : ''}
        FROM stage_${table} AS staged ANTI JOIN (SELECT ${same} FROM ${table} WHERE channel = ${channel}) AS held USING (${same})
        WHERE staged_number NOT IN (SELECT number FROM loser_${table})
        GROUP BY ${by})
      SELECT DISTINCT day FROM ${of} JOIN changed USING (${by}) WHERE channel = ${channel}${since ? ' AND day >= since' : ''}`);
    return (await rowsOf(found)).map((row) => row.day as number);
  }
}

function everyDayOf({ first, last }: DateRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

/** What is remembered where the held row is replaced: its own earlier versions, and itself. */
function versionsOf({ column, of }: NonNullable<FactTable['history']>): string {
  const every = `ltrim(held.${column} || ' ' || held.import_id || ':' || held.${of})`;
  return `array_to_string(string_split(${every}, ' ')[-${historyMax}:], ' ')`;
}

/** Which rows of its days give way where a document speaks only for parts of them. */
function gives(
  { name, key, partition: part }: FactTable,
  { parts }: Coverage,
  staged: boolean,
): string {
  if (parts === undefined || part === undefined) return '';
  const same = staged
    ? ` OR (${key.join(', ')}) IN (SELECT (${key.join(', ')}) FROM stage_${name})`
    : '';
  return ` AND (${part} IN (${parts.map(quoted).join(', ')})${same})`;
}

/** Computes the touched days of every rollup. */
async function computeRollups(
  connection: DuckDBConnection,
  { importId, channel }: BatchKey,
  timezone: string,
  touched: TouchedDays,
  change: { readonly ordersFromBefore: number } | null,
): Promise<void> {
  const ordersFrom = ordersFromDay(timezone, await firstPurchase(connection, channel));
  let coverChanged: number[] = [];
  if (change && change.ordersFromBefore !== ordersFrom) {
    const [from, to] = [
      Math.min(change.ordersFromBefore, ordersFrom),
      Math.max(change.ordersFromBefore, ordersFrom),
    ];
    const between = `SELECT DISTINCT day FROM store_day WHERE channel = ${channel} AND day >= ${date(from)} AND day < ${date(to)}`;
    coverChanged = (await rowsOf(await connection.run(between))).map((row) => row.day as number);
  }
  for (const rollup of rollups) {
    const days = rollupDays(rollup, touched, coverChanged);
    if (days.length === 0) continue;
    const asked = rollupAsked(channel, timezone, days, ordersFrom);
    const body = rollupQuestions.get(rollup.name)!;
    const removal = question(
      `removal of ${rollup.name}`,
      `DELETE FROM ${rollup.name} WHERE channel = {channel:Int32}
         AND day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})`,
    );
    await runStatement(connection, removal, asked);
    const list = Object.keys(rollup.columns);
    const insertion = `INSERT INTO ${rollup.name} (channel, import_id, ${list.join(', ')})
      SELECT ${channel}, ${importId}, ${list.join(', ')} FROM (${body.sql})
      ORDER BY ${rollup.key.join(', ')}`;
    await runStatement(connection, { ...body, sql: insertion }, asked);
  }
}

async function everyDay(connection: DuckDBConnection, channel: number): Promise<TouchedDays> {
  const days = new Map<string, number[]>();
  for (const table of rollupSources) {
    const found = await rowsOf(
      await connection.run(`SELECT DISTINCT day FROM ${table} WHERE channel = ${channel}`),
    );
    days.set(
      table,
      found.map((row) => row.day as number),
    );
  }
  return { days, watched: new Map() };
}

async function firstPurchase(
  connection: DuckDBConnection,
  channel: number,
): Promise<number | null> {
  const result = await connection.run(
    `SELECT min(purchased_at) AS first FROM order_line WHERE channel = ${channel}`,
  );
  return (await rowsOf(result))[0]!.first as number | null;
}

async function count(connection: DuckDBConnection, from: string): Promise<number> {
  return (await rowsOf(await connection.run(`SELECT count(*) AS counted ${from}`)))[0]!
    .counted as number;
}

async function askOn<R extends Row>(
  { reader, stop }: Loan,
  question: Question<R>,
  asked: Parameters,
): Promise<R[]> {
  stop.signal.throwIfAborted();
  const prepared = await reader.statements.bind(question, asked);
  return (await rowsOf(await prepared.run())) as R[];
}

async function* streamOn<R extends Row>(
  { reader, stop }: Loan,
  question: Question<R>,
  asked: Parameters,
): AsyncIterable<R[]> {
  stop.signal.throwIfAborted();
  const result = await (await reader.statements.bind(question, asked)).stream();
  const names = result.columnNames();
  for (;;) {
    stop.signal.throwIfAborted();
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    yield rowsOfChunk(names, chunk) as R[];
  }
  stop.signal.throwIfAborted();
  // The driver tells an error in the middle as the end. The transaction tells them apart: after an error nothing can be asked in it.
  await reader.connection.run('SELECT 1').catch((cause: Error) => {
    throw new Error(`The question ${question.name} could not be answered to its end`, { cause });
  });
}

/** The rows of an answer as the port promises them. */
async function rowsOf(result: DuckDBMaterializedResult): Promise<Row[]> {
  const names = result.columnNames();
  const rows: Row[] = [];
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    for (const row of rowsOfChunk(names, chunk)) rows.push(row);
  }
  return rows;
}

function rowsOfChunk(names: readonly string[], chunk: DuckDBDataChunk): Row[] {
  const rows: Record<string, Row[string]>[] = [];
  for (let row = 0; row < chunk.rowCount; row++) rows.push({});
  for (const [column, name] of names.entries()) {
    const read = readerOf(chunk.getColumnVector(column));
    for (let row = 0; row < rows.length; row++) rows[row]![name] = read(row);
  }
  return rows;
}

/** Reads one column. Chosen by the column and not by the value, which takes half the time. */
function readerOf(vector: DuckDBVector): (row: number) => Row[string] {
  if (vector instanceof DuckDBBigIntVector || vector instanceof DuckDBHugeIntVector) {
    return (row) => {
      const value = vector.getItem(row);
      return value === null ? null : Number(value);
    };
  }
  if (isDecimal(vector)) {
    const { scale } = vector.type;
    if (scale > amountPlaces) throw new Error('An answer holds an amount of more than six places');
    if (scale === amountPlaces) {
      return (row) => {
        const value = vector.getScaledValue(row);
        return typeof value === 'number' ? BigInt(value) : value;
      };
    }
    const factor = 10n ** BigInt(amountPlaces - scale);
    return (row) => {
      const value = vector.getScaledValue(row);
      return value === null ? null : BigInt(value) * factor;
    };
  }
  if (vector instanceof DuckDBDateVector) return (row) => vector.getItem(row)?.days ?? null;
  // ClickHouse, too, tells true as 1.
  if (vector instanceof DuckDBBooleanVector) {
    return (row) => {
      const value = vector.getItem(row);
      return value === null ? null : Number(value);
    };
  }
  return (row) => vector.getItem(row) as Row[string];
}

type DecimalVector =
  | DuckDBDecimal16Vector
  | DuckDBDecimal32Vector
  | DuckDBDecimal64Vector
  | DuckDBDecimal128Vector;

function isDecimal(vector: DuckDBVector): vector is DecimalVector {
  return vector.type.typeId === DuckDBTypeId.DECIMAL;
}

async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw isFatal(error) ? new StoreUnavailable('warehouse', error) : error;
  }
}

/** What the asker is told: that it was stopped, or what went wrong. */
function reasonOf(error: unknown, { signal }: Stop): unknown {
  if (signal.aborted) return signal.reason;
  return isBroken(error) ? new StoreUnavailable('warehouse', error) : error;
}

/** Broken, or out of room: the store can answer nothing. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && /^(IO|FATAL|INTERNAL)/i.test(error.message);
}

/** The same, or out of memory, for which a question is to blame but not a change. */
function isFatal(error: unknown): boolean {
  return (
    isBroken(error) ||
    (error instanceof Error && /^(Out of Memory|Could not allocate)/i.test(error.message))
  );
}

function columnList(
  columns: Readonly<Record<string, ColumnType>>,
  types = columnTypes,
  narrow: readonly string[] = [],
): string {
  return Object.entries(columns)
    .map(
      ([column, type]) =>
        `${column} ${(narrow.includes(column) ? columnTypes : types)[type]} NOT NULL`,
    )
    .join(', ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function date(day: number): string {
  return `(DATE '1970-01-01' + ${day})`;
}
