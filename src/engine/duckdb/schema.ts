/** The tables of the embedded warehouse. */
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type ColumnType,
  facts,
  rollups,
  schemaVersion,
  textsSince,
} from '../../../schema/warehouse/tables.ts';
import { inTransaction, rows } from './queries.ts';

/** DuckDB's types of the columns of facts. */
export const columnTypes: Record<ColumnType, string> = {
  Int32: 'INTEGER',
  Int64: 'BIGINT',
  Float64: 'DOUBLE',
  Text: 'VARCHAR',
  Date: 'DATE',
  Amount: 'DECIMAL(18,6)',
};
/**
 * Amounts of rollups are sums, and may have more digits than amounts of facts. They are stored as
 * runs of equal values: 128-bit numbers that are packed into fewer bits take ten times as long to
 * read.
 */
const sumTypes: Record<ColumnType, string> = {
  ...columnTypes,
  Amount: 'DECIMAL(38,6) USING COMPRESSION rle',
};
/** Before this version, sums were packed. */
const sumsInRunsSince = 3;

/** Brings the tables up to the newest schema version. */
export async function migrate(connection: DuckDBConnection): Promise<void> {
  await connection.run('CREATE TABLE IF NOT EXISTS warehouse_version (version INTEGER)');
  await connection.run('CREATE TABLE IF NOT EXISTS installation (installation_id VARCHAR)');
  await connection.run(
    `CREATE TABLE IF NOT EXISTS table_stamp
       (channel INTEGER NOT NULL, name VARCHAR NOT NULL, stamp VARCHAR NOT NULL)`,
  );
  const [row] = await rows(connection, 'SELECT max(version) AS version FROM warehouse_version');
  const version = row!.version as number | null;
  if (version === schemaVersion) return;
  if (version !== null && version > schemaVersion)
    throw new Error(
      `The warehouse has schema version ${version}, newer than this program's ${schemaVersion}: ` +
        'use a newer release',
    );
  const create = (name: string, columns: string) =>
    connection.run(
      `CREATE TABLE IF NOT EXISTS ${name}
         (channel INTEGER NOT NULL, import_id BIGINT NOT NULL, ${columns})`,
    );
  for (const { name, columns } of facts) await create(name, columnList(columns));
  for (const { name, columns, compactAmounts } of rollups) {
    const list = columnList(columns, sumTypes, compactAmounts);
    await create(name, list);
    if (version !== null && version < sumsInRunsSince)
      await inTransaction(connection, async () => {
        await create('stored_anew', list);
        await connection.run(`INSERT INTO stored_anew BY NAME SELECT * FROM ${name}`);
        await connection.run(`DROP TABLE ${name}`);
        await connection.run(`ALTER TABLE stored_anew RENAME TO ${name}`);
      });
  }
  for (const { table, column } of textsSince(version))
    await connection.run(
      `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} VARCHAR DEFAULT ''`,
    );
  await connection.run(
    `CREATE TABLE IF NOT EXISTS committed_import
       (import_id BIGINT NOT NULL, channel INTEGER NOT NULL)`,
  );
  await connection.run(`INSERT INTO warehouse_version VALUES (${schemaVersion})`);
}

/** Columns in the form of a table definition. */
export function columnList(
  columns: Readonly<Record<string, ColumnType>>,
  types = columnTypes,
  compactAmounts: readonly string[] = [],
): string {
  return Object.entries(columns)
    .map(([column, type]) => {
      const name = (compactAmounts.includes(column) ? columnTypes : types)[type];
      return `${column} ${name} NOT NULL`;
    })
    .join(', ');
}

/** A text as a literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A day number as a date. */
export function dateOf(day: number): string {
  return `(DATE '1970-01-01' + ${day})`;
}
