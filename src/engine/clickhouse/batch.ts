/** An import into ClickHouse. Its commit writes the staged rows as the channel's next version. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Dependency,
  dependencies,
  type FactTable,
  factTable,
} from '../../../schema/warehouse/tables.ts';
import type { BatchKey, CommitResult, Coverage, DuplicateRow, ImportBatch } from '../warehouse.ts';
import { type Change, computeRollups, makeChange, type Remembered } from './changes.ts';
import { allSettled, type Client } from './client.ts';
import { matchesStaged, type Replaced, replaceDays, replaceKeys, replaceUnits } from './replace.ts';
import { hashOf } from './schema.ts';
import { isVisible, visible } from './snapshot.ts';
import { StagedRows } from './staged.ts';

type CoverageByTable = Readonly<Record<string, Coverage>>;

/** An import batch of the served warehouse. */
export class ClickhouseBatch implements ImportBatch {
  readonly #client: Client;
  readonly #key: BatchKey;
  readonly #stagingFolder: string;
  readonly #staged: StagedRows;
  readonly #remembered: Remembered;

  constructor(
    client: Client,
    key: BatchKey,
    stagingFolder: string,
    rowsPerPass: number,
    remembered: Remembered,
  ) {
    this.#client = client;
    this.#key = key;
    this.#remembered = remembered;
    this.#stagingFolder = stagingFolder;
    this.#staged = new StagedRows(client, rowsPerPass);
  }

  async stage(name: string, file: string): Promise<void> {
    await this.#staged.load(name, file);
  }

  async *duplicates(name: string): AsyncIterable<DuplicateRow[]> {
    if (!this.#staged.has(name) || factTable(name).replacement === 'byUnit') return;
    yield* this.#staged.duplicates(name);
  }

  async commit(coverage: CoverageByTable, timezone: string): Promise<CommitResult> {
    const { channel, importId } = this.#key;
    try {
      await this.#staged.inspectAll();
      const imported = [...new Set([...this.#staged.tables, ...Object.keys(coverage)])];
      const of = { channel, importId, ...this.#remembered, imported };
      let result: CommitResult | undefined;
      await makeChange(this.#client, of, async (change) => {
        result = await this.#apply(change, imported, coverage, timezone);
      });
      return result!;
    } finally {
      // Staged rows that cannot be dropped now stay invisible, and are pruned later.
      await this.discard().catch(() => {});
    }
  }

  async discard(): Promise<void> {
    for (const file of readdirSync(this.#stagingFolder)) {
      if (file.startsWith(`import-${this.#key.importId}-`))
        rmSync(join(this.#stagingFolder, file), { force: true });
    }
    await this.#staged.drop();
  }

  async #apply(
    change: Change,
    names: readonly string[],
    coverage: CoverageByTable,
    timezone: string,
  ): Promise<CommitResult> {
    const staged = this.#staged;
    const byDependency = new Map<Dependency, readonly number[]>();
    const replaced = new Map<string, Replaced>();
    const replace = async (name: string) => {
      const result = await this.#replace(change, factTable(name), coverage[name]);
      if (result) replaced.set(name, result);
    };
    const addDependency = async (dependency: Dependency) => {
      byDependency.set(dependency, await dependentDays(staged, change, dependency));
    };
    await allSettled([
      ...names.map(replace),
      ...dependencies.filter(({ table }) => staged.has(table)).map(addDependency),
    ]);
    const byTable = new Map([...replaced].map(([name, { days }]) => [name, days]));
    await computeRollups(this.#client, change, timezone, { byTable, byDependency });
    return {
      rows: Object.fromEntries(
        [...replaced].filter(([name]) => staged.has(name)).map(([name, { rows }]) => [name, rows]),
      ),
      rowsOlder: [...replaced.values()].reduce((sum, { older }) => sum + older, 0),
      rowsSuperseded: Object.assign({}, ...[...replaced.values()].map((one) => one.superseded)),
    };
  }

  async #replace(
    change: Change,
    table: FactTable,
    coverage: Coverage | undefined,
  ): Promise<Replaced | undefined> {
    const { name, replacement } = table;
    if (replacement === 'byDay') return await replaceDays(this.#staged, change, table, coverage);
    if (replacement === 'byUnit') return await replaceUnits(this.#staged, change, table, coverage);
    return this.#staged.has(name) ? await replaceKeys(this.#staged, change, table) : undefined;
  }
}

/** The days of events that depend on staged rows that differ from the existing ones. */
async function dependentDays(
  staged: StagedRows,
  change: Change,
  { table, columns, of, by, since }: Dependency,
): Promise<number[]> {
  const { key } = factTable(table);
  const { rows } = await staged.inspect(table);
  const days = new Set<number>();
  for (const pass of staged.passes(rows)) {
    const same = hashOf([...key, ...columns]);
    const existing = `SELECT ${same} FROM all_${table} WHERE ${isVisible(table, change.before)}
      AND ${await matchesStaged(staged, table, key, pass)}`;
    const changed = `SELECT ${by}${since ? `, min(${since}) AS starting` : ''}
      ${staged.fromUnique(table, pass)} AND ${same} NOT IN (${existing}) GROUP BY ${by}`;
    const found = await staged.client.rows(
      `SELECT DISTINCT event.day AS day FROM ${visible(of, change.before)} AS event
       JOIN (${changed}) AS changed ON event.${by} = changed.${by}
       ${since ? 'WHERE event.day >= changed.starting' : ''}`,
    );
    for (const row of found) days.add(row.day as number);
  }
  return [...days];
}
