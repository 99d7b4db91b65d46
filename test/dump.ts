/** The whole content of the stores, for tests of what must be absent or unchanged. */
import { sql } from 'kysely';
import { question } from '../src/engine/question.ts';
import type { Registry } from '../src/engine/registry.ts';
import type { Warehouse } from '../src/engine/warehouse.ts';

/** Rows by the name of their table; each table is there, also without a row. */
export type Dump<Row> = Readonly<Record<string, readonly Row[]>>;

/** A row of the registry as it is stored, by the names of its columns in the store. */
export type StoredRow = Readonly<Record<string, unknown>>;

const limits = { deadlineMilliseconds: 3_600_000 };

/** Every row of every table of the registry, including the table of migrations. */
export async function dumpRegistry({
  records,
  engine,
}: Pick<Registry, 'records' | 'engine'>): Promise<Dump<StoredRow>> {
  const stored = records.withoutPlugins();
  const tables =
    engine === 'sqlite'
      ? sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`
      : sql<{
          name: string;
        }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`;
  const dump: Record<string, readonly StoredRow[]> = {};
  for (const { name } of (await tables.execute(stored)).rows) {
    dump[name] = (await sql<StoredRow>`SELECT * FROM ${sql.table(name)}`.execute(stored)).rows;
  }
  return dump;
}

/**
 * Every row of every table of the warehouse as the engine writes it, including rows that no
 * question reads.
 */
export async function dumpWarehouse(warehouse: Warehouse): Promise<Dump<string>> {
  const sql =
    warehouse.engine === 'duckdb'
      ? 'SELECT table_name AS name FROM duckdb_tables() ORDER BY name'
      : "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine NOT LIKE '%View' ORDER BY name";
  const tables = question<{ name: string }>('tables', sql);
  const line = warehouse.engine === 'duckdb' ? 'CAST(held AS VARCHAR)' : 'toString(tuple(*))';
  const dump: Record<string, readonly string[]> = {};
  for (const { name } of await warehouse.ask(tables, {}, limits)) {
    // Quoted, the name is the table itself rather than the facts that questions see of it.
    const rows = await warehouse.ask(
      question<{ line: string }>('rows', `SELECT ${line} AS line FROM "${name}" AS held`),
      {},
      limits,
    );
    dump[name] = rows.map((row) => row.line);
  }
  return dump;
}
