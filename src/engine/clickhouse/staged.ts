/**
 * The staged rows of an import, table by table. They lie in the import's partition of each staging
 * table. Large tables are compared in several passes, each over a part of all keys.
 */
import { randomInt } from 'node:crypto';
import { type ColumnType, type FactTable, factTable } from '../../../schema/warehouse/tables.ts';
import type { DuplicateRow } from '../warehouse.ts';
import { allSettled, type Client } from './client.ts';
import { columnTypes, hashOf, undatedColumns } from './schema.ts';
import { dateOf } from './vocabulary.ts';

const duplicatesPerPage = 2048;
/** Batches that begin in the same second differ by a random number below this. */
const batchesPerSecond = 2 ** 20;
const secondsPerDay = 86_400;

/** The staged rows of one table. */
export type StagedTable = {
  readonly rows: number;
  /** Rows that do not count because another row has their key. */
  readonly duplicates: number;
  readonly firstDay: number;
  readonly lastDay: number;
};

/** A pass over one of several parts of all keys. */
export type Pass = { readonly part: number; readonly parts: number };

/** The pass over all keys. */
export const allKeys: Pass = { part: 0, parts: 1 };

/** The condition that the hash of a key belongs to a pass. */
export function isInPass({ part, parts }: Pass, hash = 'key_hash'): string {
  return parts === 1 ? 'true' : `${hash} % ${parts} = ${part}`;
}

/** The lowest number of a batch that could have begun within the last day. */
export function firstBatchOfDay(milliseconds: number): number {
  return (Math.floor(milliseconds / 1000) - secondsPerDay) * batchesPerSecond;
}

/** The day of a staged row. Rows without a day lie on the first of all days. */
export function dayOf(table: FactTable): string {
  return table.day === null ? dateOf(0) : 'day';
}

/** The staged rows of one import. */
export class StagedRows {
  readonly client: Client;
  readonly #rowsPerPass: number;
  /** Identifies the rows of this import, and says when it began. */
  readonly #batch: number;
  /** The number of rows of each table as counted by the server, which determines the passes. */
  readonly #loaded = new Map<string, number>();
  readonly #inspected = new Map<string, StagedTable>();
  readonly #tablesUsed = new Set<string>();

  constructor(client: Client, rowsPerPass: number) {
    this.client = client;
    this.#rowsPerPass = rowsPerPass;
    this.#batch =
      Math.floor(client.clock.now() / 1000) * batchesPerSecond + randomInt(batchesPerSecond);
  }

  /** The tables with staged rows, or with an empty file. */
  get tables(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  has(table: string): boolean {
    return this.#loaded.has(table);
  }

  /** Loads a file into a staging table. */
  async load(name: string, file: string): Promise<void> {
    const columns = Object.entries<ColumnType>({
      staged_number: 'Int64',
      staged_line: 'Int64',
      ...factTable(name).columns,
    });
    this.#tablesUsed.add(`staged_${name}`);
    this.#loaded.set(name, this.#loaded.get(name) ?? 0);
    const list = columns.map(([column]) => column).join(', ');
    const shape = columns.map(([column, type]) => `${column} ${columnTypes[type]}`).join(', ');
    const rows = await this.client.load(
      `INSERT INTO staged_${name} (batch, ${list})
       SELECT ${this.#batch}, ${list} FROM input('${shape}') FORMAT CSV`,
      file,
    );
    this.#loaded.set(name, this.#loaded.get(name)! + rows);
  }

  /** Drops the rows of this import from every staging table. */
  async drop(): Promise<void> {
    await this.client.runAll(
      [...this.#tablesUsed].map((table) => `ALTER TABLE ${table} DROP PARTITION ${this.#batch}`),
    );
  }

  /** The passes needed to compare this many rows. */
  passes(rows: number): Pass[] {
    const parts = Math.max(1, Math.ceil(rows / this.#rowsPerPass));
    return Array.from({ length: parts }, (_, part) => ({ part, parts }));
  }

  /** The passes in which the staged rows of a table are compared. */
  passesOf(name: string): Pass[] {
    return this.passes(this.#loaded.get(name) ?? 0);
  }

  /** The staged rows of a table within a pass, as a FROM clause. */
  from(name: string, pass: Pass, join = ''): string {
    return `FROM staged_${name} ${join} WHERE batch = ${this.#batch} AND ${isInPass(pass)}`;
  }

  /** The same rows without duplicates. */
  fromUnique(name: string, pass: Pass, join = ''): string {
    const isUnique =
      this.#inspected.get(name)!.duplicates === 0
        ? ''
        : ` AND staged_number NOT IN (SELECT number ${this.fromWork('staged_duplicate', name, pass)})`;
    return `${this.from(name, pass, join)}${isUnique}`;
  }

  /** The rows about a fact table within a pass, in one of the work tables of imports. */
  fromWork(workTable: string, name: string, pass: Pass): string {
    return `FROM ${workTable} WHERE batch = ${this.#batch} AND fact = '${name}' AND ${isInPass(pass)}`;
  }

  /** Adds rows to a work table; the columns after `batch` and `fact` are the selected ones. */
  async addWork(
    workTable: string,
    name: string,
    columns: readonly string[],
    values: readonly string[],
    source: string,
  ): Promise<void> {
    this.#tablesUsed.add(workTable);
    await this.client.run(
      `INSERT INTO ${workTable} (batch, fact, ${columns.join(', ')})
       SELECT ${this.#batch}, '${name}', ${values.join(', ')} ${source}`,
    );
  }

  /** Counts the staged rows of every table and finds the duplicates. */
  async inspectAll(): Promise<void> {
    await allSettled(this.tables.map((name) => this.inspect(name)));
  }

  /** Counts the staged rows of a table and finds the duplicates; most imports have none. */
  async inspect(name: string): Promise<StagedTable> {
    const known = this.#inspected.get(name);
    if (known) return known;
    const table = factTable(name);
    let rows = 0;
    let duplicates = 0;
    let firstDay = Number.POSITIVE_INFINITY;
    let lastDay = Number.NEGATIVE_INFINITY;
    for (const pass of this.passesOf(name)) {
      const [found] = await this.client.rows(
        `SELECT count() AS found, uniqExact(key_hash) AS distinct_keys,
           min(${dayOf(table)}) AS first_day, max(${dayOf(table)}) AS last_day
         ${this.from(name, pass)}`,
      );
      const [count, keys] = [found!.found as number, found!.distinct_keys as number];
      if (count === 0) continue;
      rows += count;
      duplicates += count - keys;
      firstDay = Math.min(firstDay, found!.first_day as number);
      lastDay = Math.max(lastDay, found!.last_day as number);
      if (count > keys) await this.#addDuplicates(table, pass);
    }
    const inspected = { rows, duplicates, firstDay, lastDay };
    this.#inspected.set(name, inspected);
    return inspected;
  }

  async #addDuplicates({ name, replacement, columns }: FactTable, pass: Pass): Promise<void> {
    const latest = `${'updated_at' in columns ? 'updated_at DESC, ' : ''}staged_number DESC`;
    const order = replacement === 'byDay' ? 'staged_number' : latest;
    const sameKey = `OVER (PARTITION BY key_hash ORDER BY ${order})`;
    const source = this.from(name, pass);
    await this.addWork(
      'staged_duplicate',
      name,
      ['number', 'line', 'kept_line', 'key_hash'],
      ['staged_number', 'staged_line', 'kept_line', 'key_hash'],
      `FROM (SELECT staged_number, staged_line, key_hash,
           first_value(staged_number) ${sameKey} AS counting,
           first_value(staged_line) ${sameKey} AS kept_line
         ${source} AND key_hash IN
           (SELECT key_hash ${source} GROUP BY key_hash HAVING count() > 1))
       WHERE staged_number <> counting`,
    );
  }

  /** Finds rows that equal an earlier row in these columns. */
  async findRepeats(name: string, columns: readonly string[]): Promise<void> {
    const hash = hashOf(columns);
    for (const pass of this.passesOf(name)) {
      const source = `${this.fromUnique(name, allKeys)}
        AND ${columns[0]} <> '' AND ${isInPass(pass, hash)}`;
      await this.addWork(
        'staged_repeat',
        name,
        ['number', 'key_hash'],
        ['staged_number', 'key_hash'],
        `FROM (SELECT staged_number, key_hash, first_value(staged_number)
             OVER (PARTITION BY ${hash} ORDER BY staged_number) AS first_number
           ${source} AND ${hash} IN (SELECT ${hash} ${source} GROUP BY 1 HAVING count() > 1))
         WHERE staged_number <> first_number`,
      );
    }
  }

  /** The duplicates of a table, page by page. */
  async *duplicates(name: string): AsyncIterable<DuplicateRow[]> {
    const { duplicates } = await this.inspect(name);
    let last = 0;
    for (let listed = 0; listed < duplicates; ) {
      const rows = await this.client.rows(
        `SELECT number, line, kept_line ${this.fromWork('staged_duplicate', name, allKeys)}
           AND number > ${last} ORDER BY number LIMIT ${duplicatesPerPage}`,
      );
      if (rows.length === 0) return;
      listed += rows.length;
      last = rows.at(-1)!.number as number;
      yield rows.map((row) => ({ line: row.line as number, keptLine: row.kept_line as number }));
    }
  }

  /** Inserts rows into a fact table from several selections. */
  async insert(name: string, sources: readonly string[]): Promise<void> {
    const list = `channel, day, version, import_id, ${undatedColumns(name).join(', ')}`;
    await this.client.run(`INSERT INTO all_${name} (${list}) ${sources.join(' UNION ALL ')}`);
  }
}
