/**
 * An import into DuckDB. Rows wait in temporary tables of their own connection. The commit is one
 * transaction, which readers see as a whole or not at all and which a crash undoes.
 */
import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type Dependency,
  dependencies,
  type FactTable,
  factTable,
  historyMax,
  rollupSources,
} from '../../../schema/warehouse/tables.ts';
import { reusedImport } from '../errors.ts';
import type { PlainCoverage, PlainRows } from '../plainRows.ts';
import { question } from '../question.ts';
import { ordersFromDay } from '../rollup.ts';
import type { BatchKey, CommitResult, Coverage, DuplicateRow, ImportBatch } from '../warehouse.ts';
import { BatchWork } from './batchWork.ts';
import type { Database, OpenDatabase } from './database.ts';
import { Duplicates } from './duplicates.ts';
import { insertStaged } from './insert.ts';
import { readPlain, stagePlain } from './plainRows.ts';
import { count, days, inTransaction, rows } from './queries.ts';
import { computeRollups, firstPurchase, noteChanged } from './rollups.ts';
import { dateOf, quoted } from './schema.ts';
import { createStaged, stageFile } from './staged.ts';
import { stampTables, type TableStamps } from './stamps.ts';
import { runStatement } from './statements.ts';

const duplicatesPerPage = 2048;
/** A batch with more bytes is large: it would fill DuckDB's memory. */
const largeBytes = 16 * 1024 * 1024;

type CoverageByTable = Readonly<Record<string, Coverage>>;

/** The rows that a replacement removed, and the staged rows that replace them. */
type Removed = {
  /** The condition on the staged rows that become facts. */
  readonly isNew: string;
  /** The days that changed. */
  readonly days: readonly number[];
  readonly older?: number;
  readonly superseded?: Readonly<Record<string, number>>;
  /** Whether the changed values are noted, so that rollups are computed for these alone. */
  readonly isNoted?: boolean;
};

/** An import batch of the embedded warehouse. */
export class DuckdbBatch implements ImportBatch {
  readonly #work: BatchWork;
  readonly #open: OpenDatabase;
  readonly #connection: DuckDBConnection;
  readonly #stamps: TableStamps;
  readonly #key: BatchKey;
  /** The bytes of each table's staged files. */
  readonly #staged = new Map<string, number>();
  #bytes = 0;
  readonly #duplicates: Duplicates;

  constructor(
    database: Database,
    open: OpenDatabase,
    connection: DuckDBConnection,
    stamps: TableStamps,
    key: BatchKey,
  ) {
    this.#work = new BatchWork(database, open, connection);
    this.#open = open;
    this.#connection = connection;
    this.#stamps = stamps;
    this.#key = key;
    this.#duplicates = new Duplicates(connection, (sql) => this.#work.runWithMore(sql));
  }

  async stage(name: string, file: string): Promise<void> {
    await this.#work.use(() =>
      this.#work.stageInTurn(async () => {
        await this.#note(name, file);
        await stageFile(this.#connection, name, file);
      }),
    );
  }

  readonly stagePlain = (portion: PlainRows): Promise<PlainCoverage | undefined> =>
    this.#work.use(() =>
      readPlain(this.#open, this.#key.importId, portion, (rows) =>
        this.#work.stageInTurn(async () => {
          await this.#note(portion.table, portion.path);
          return await stagePlain(this.#connection, portion, rows);
        }),
      ),
    );

  /** Counts the bytes of rows to be staged. */
  async #note(name: string, file: string): Promise<void> {
    if (!this.#staged.has(name)) await createStaged(this.#connection, name);
    const { size } = statSync(file);
    this.#staged.set(name, (this.#staged.get(name) ?? 0) + size);
    this.#bytes += size;
    if (this.#bytes > largeBytes) await this.#open.memory.addLargeBatch(this.#connection);
  }

  async *duplicates(name: string): AsyncIterable<DuplicateRow[]> {
    if (!this.#staged.has(name) || factTable(name).replacement === 'byUnit') return;
    if (!(await this.#work.use(() => this.#duplicates.find(factTable(name))))) return;
    for (let offset = 0; ; offset += duplicatesPerPage) {
      const sql = `SELECT line, kept_line FROM duplicate_${name}
         ORDER BY number LIMIT ${duplicatesPerPage} OFFSET ${offset}`;
      const page = await this.#work.use(() => rows(this.#connection, sql));
      if (page.length === 0) return;
      yield page.map((row) => ({ line: row.line as number, keptLine: row.kept_line as number }));
    }
  }

  async commit(coverage: CoverageByTable, timezone: string): Promise<CommitResult> {
    try {
      return await this.#work.use(async () => {
        for (const name of this.#staged.keys()) await this.#duplicates.find(factTable(name));
        return await inTransaction(
          this.#connection,
          () => this.#apply(coverage, timezone),
          (commit) => this.#stamps.committing(this.#key.channel, commit),
        );
      });
    } finally {
      await this.discard();
    }
  }

  async discard(): Promise<void> {
    await this.#work.end();
  }

  async #apply(coverage: CoverageByTable, timezone: string): Promise<CommitResult> {
    const { channel, importId } = this.#key;
    const connection = this.#connection;
    const isKnown = `FROM committed_import WHERE import_id = ${importId}`;
    if ((await count(connection, isKnown)) > 0) throw reusedImport(importId);
    const ordersBefore = ordersFromDay(timezone, await firstPurchase(connection, channel));
    const byDependency = new Map<Dependency, readonly number[]>();
    for (const dependency of dependencies) {
      if (this.#staged.has(dependency.table))
        byDependency.set(dependency, await this.#dependentDays(dependency));
    }
    const byTable = new Map<string, readonly number[]>();
    const noted: string[] = [];
    const result = { rows: {} as Record<string, number>, rowsOlder: 0, rowsSuperseded: {} };
    for (const name of new Set([...this.#staged.keys(), ...Object.keys(coverage)])) {
      const table = factTable(name);
      const removed = await this.#remove(table, coverage[name]);
      byTable.set(name, removed.days);
      result.rowsOlder += removed.older ?? 0;
      Object.assign(result.rowsSuperseded, removed.superseded);
      if (removed.isNoted) noted.push(name);
      const bytes = this.#staged.get(name);
      if (bytes !== undefined)
        result.rows[name] = await insertStaged(connection, this.#key, table, {
          isNew: removed.isNew,
          isRepeat: this.#duplicates.isRepeat(name),
          bytes,
        });
    }
    const changed = { byTable, byDependency };
    const key = this.#key;
    const computed = await this.#open.memory.withMore(() =>
      computeRollups(connection, key, timezone, changed, ordersBefore, noted),
    );
    await stampTables(connection, channel, [...byTable.keys(), ...computed]);
    await connection.run(`INSERT INTO committed_import VALUES (${importId}, ${channel})`);
    return result;
  }

  async #remove(table: FactTable, coverage: Coverage | undefined): Promise<Removed> {
    const { name, replacement } = table;
    if (replacement === 'byDay') return await this.#removeDays(table, coverage);
    if (replacement === 'byUnit') return await this.#removeUnits(table, coverage);
    return this.#staged.has(name) ? await this.#removeKeys(table) : { isNew: 'false', days: [] };
  }

  /** Removes the days that the document covers, or its partitions of those days. */
  async #removeDays(table: FactTable, coverage: Coverage | undefined): Promise<Removed> {
    const { name } = table;
    if (!coverage) throw new Error(`Rows of ${name} were staged without the days that they cover`);
    const { first, last } = coverage;
    const others = await this.#removeOthers(name, coverage);
    await this.#connection.run(
      `DELETE FROM ${name} WHERE channel = ${this.#key.channel}
         AND day BETWEEN ${dateOf(first)} AND ${dateOf(last)} ${this.#isReplaced(table, coverage)}`,
    );
    const outside = `FROM staged_${name} WHERE day < ${dateOf(first)} OR day > ${dateOf(last)}`;
    if (this.#staged.has(name) && (await count(this.#connection, outside)) > 0)
      throw new Error(`Rows of ${name} were staged outside the days that they cover`);
    return {
      isNew: this.#duplicates.isUnique(name),
      days: [
        ...new Set([
          ...Array.from({ length: last - first + 1 }, (_, index) => first + index),
          ...others,
        ]),
      ],
    };
  }

  /** Removes the rows that the document removes on other days; returns those days. */
  async #removeOthers(name: string, { removed }: Coverage): Promise<number[]> {
    if (removed === undefined) return [];
    const { channel } = this.#key;
    const run = (start: string) => {
      const sql = `${start} FROM ${name} WHERE channel = {channel:Int32} AND (${removed.condition})`;
      const body = question(`removed rows of ${name}`, sql);
      return runStatement(this.#connection, body, { ...removed.parameters, channel });
    };
    const days = await run('SELECT DISTINCT day');
    await run('DELETE');
    return days.map((row) => row.day as number);
  }

  /**
   * Restricts a removal to the partitions that the document covers and to staged keys; where each
   * row has its own span, also to rows that begin within the document's days.
   */
  #isReplaced({ name, key, partition, spansByRow }: FactTable, { first, parts }: Coverage): string {
    const conditions: string[] = [];
    if (parts !== undefined && partition !== undefined)
      conditions.push(`${partition} IN (${parts.map(quoted).join(', ')})`);
    if (spansByRow) conditions.push(`since >= ${dateOf(first)}`);
    if (conditions.length === 0) return '';
    const keys = key.join(', ');
    const isStaged = this.#staged.has(name)
      ? ` OR (${keys}) IN (SELECT (${keys}) FROM staged_${name})`
      : '';
    return `AND ((${conditions.join(' AND ')})${isStaged})`;
  }

  /** Removes the rows of the staged keys, unless they were updated later. */
  async #removeKeys({ name, key, day, columns, history }: FactTable): Promise<Removed> {
    const connection = this.#connection;
    const newer = 'updated_at' in columns ? 'existing.updated_at > staged.updated_at' : 'false';
    const ofChannel = `channel = ${this.#key.channel}`;
    // Otherwise DuckDB would prepare for a join with many facts.
    const hasFacts =
      (await rows(connection, `SELECT 1 FROM ${name} WHERE ${ofChannel} LIMIT 1`)).length > 0;
    await connection.run(
      `CREATE TEMPORARY TABLE match_${name} AS
       SELECT existing.rowid AS existing_row, staged.staged_number AS number, ${newer} AS newer
         ${day ? ', existing.day' : ''}${history ? `, ${versionsOf(history)} AS versions` : ''}
       FROM ${name} AS existing JOIN staged_${name} AS staged USING (${key.join(', ')})
       WHERE existing.${ofChannel} AND ${hasFacts} AND ${this.#duplicates.isUnique(name)}`,
    );
    await connection.run(
      `DELETE FROM ${name}
       WHERE rowid IN (SELECT existing_row FROM match_${name} WHERE NOT newer)`,
    );
    const older = await count(connection, `FROM match_${name} WHERE newer`);
    const isOlder = `staged_number IN (SELECT number FROM match_${name} WHERE newer)`;
    const isNew = `${this.#duplicates.isUnique(name)}${older > 0 ? ` AND NOT (${isOlder})` : ''}`;
    return {
      isNew,
      older,
      days: rollupSources.includes(name)
        ? await days(
            connection,
            `SELECT day FROM match_${name} WHERE NOT newer
             UNION SELECT day FROM staged_${name} WHERE ${isNew}`,
          )
        : [],
    };
  }

  /** Removes the rows of the staged units and the rows that the coverage supersedes. */
  async #removeUnits(table: FactTable, coverage: Coverage | undefined): Promise<Removed> {
    const connection = this.#connection;
    const { name, day } = table;
    const { channel } = this.#key;
    await runStatement(
      connection,
      question(
        `removed rows of ${name}`,
        `CREATE TEMPORARY TABLE removal_${name} AS
         ${this.#removals(table, coverage).join(' UNION ALL ')}`,
      ),
      { ...coverage?.removed?.parameters, channel },
    );
    const isNoted = await noteChanged(connection, table, this.#staged.has(name));
    await connection.run(
      `DELETE FROM ${name} WHERE rowid IN (SELECT existing_row FROM removal_${name})`,
    );
    const counts = await rows(
      connection,
      `SELECT superseded, count(*) AS counted
       FROM (SELECT any_value(partition_value) AS superseded FROM removal_${name}
         GROUP BY existing_row HAVING NOT bool_or(by_unit)) GROUP BY superseded`,
    );
    const staged = this.#staged.has(name)
      ? ` UNION SELECT day FROM staged_${name} WHERE ${this.#duplicates.isUnique(name)}`
      : '';
    return {
      isNew: this.#duplicates.isUnique(name),
      days: day ? await days(connection, `SELECT DISTINCT day FROM removal_${name}${staged}`) : [],
      superseded: Object.fromEntries(
        counts.map((row) => [row.superseded as string, row.counted as number]),
      ),
      isNoted,
    };
  }

  /** Selects the existing rows that the staged units replace or the coverage supersedes. */
  #removals(
    { name, key, day, partition, identity }: FactTable,
    coverage: Coverage | undefined,
  ): string[] {
    const isStaged = this.#staged.has(name);
    const existing = (byUnit: boolean, condition: string) =>
      `SELECT rowid AS existing_row, ${day ?? 'NULL::DATE'} AS day,
         ${partition ?? "''"} AS partition_value, ${byUnit} AS by_unit
       FROM ${name} WHERE channel = {channel:Int32} AND ${condition}`;
    const ofUnits = isStaged ? `${key[0]} IN (SELECT ${key[0]} FROM staged_${name})` : 'false';
    const removals = [existing(true, ofUnits)];
    if (coverage?.removed) removals.push(existing(true, `(${coverage.removed.condition})`));
    if (!partition || !identity || !coverage?.parts || coverage.parts.length === 0) return removals;
    const [reference, instant] = identity;
    const isCovered = `${partition} IN (${coverage.parts.map(quoted).join(', ')})`;
    if (coverage.instants) {
      const ranges = coverage.instants.map(
        ({ from, to }) => `${instant} BETWEEN ${from} AND ${to}`,
      );
      removals.push(existing(false, `${isCovered} AND (${ranges.join(' OR ')})`));
    }
    if (isStaged) {
      const columns = identity.join(', ');
      const same = `SELECT (${columns}) FROM staged_${name} WHERE ${this.#duplicates.isUnique(name)}`;
      removals.push(
        existing(false, `${isCovered} AND ${reference} <> '' AND (${columns}) IN (${same})`),
      );
    }
    return removals;
  }

  /** The days of events that depend on staged rows that differ from the existing ones. */
  async #dependentDays({ table, columns, of, by, since }: Dependency): Promise<number[]> {
    const { channel } = this.#key;
    const same = [...factTable(table).key, ...columns].join(', ');
    return await days(
      this.#connection,
      `WITH changed AS (
         SELECT ${by}${since ? `, min(${since}) AS since` : ''} FROM staged_${table} AS staged
         ANTI JOIN (SELECT ${same} FROM ${table} WHERE channel = ${channel}) AS existing
           USING (${same})
         WHERE ${this.#duplicates.isUnique(table)} GROUP BY ${by})
       SELECT DISTINCT day FROM ${of} JOIN changed USING (${by})
       WHERE channel = ${channel}${since ? ' AND day >= since' : ''}`,
    );
  }
}

/** The history of a row after its replacement: its earlier versions, then itself. */
function versionsOf({ column, of }: NonNullable<FactTable['history']>): string {
  const all = `ltrim(existing.${column} || ' ' || existing.import_id || ':' || existing.${of})`;
  return `array_to_string(string_split(${all}, ' ')[-${historyMax}:], ' ')`;
}
