/** Reads Parquet files with DuckDB, and compares them with the CSV of the same rows. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Decimal } from 'decimal.js';
import type { Csv } from './reports.ts';

/** A file: the names and types of its columns, and its rows as lists of texts or null. */
export type ParquetTable = {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (string | null)[][];
  /** How many groups its rows are in. */
  readonly groups: number;
};

/** Reads a file. */
export async function readParquet(bytes: Uint8Array): Promise<ParquetTable> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-parquet-'));
  const file = join(folder, 'report.parquet');
  await writeFile(file, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const answer = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    const described = await answer(`DESCRIBE SELECT * FROM '${file}'`);
    const rows = await answer(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM '${file}'`);
    const [[groups]] = (await answer(
      `SELECT count(DISTINCT row_group_id) FROM parquet_metadata('${file}')`,
    )) as [[string]];
    return {
      columns: described.map(([name]) => String(name)),
      types: described.map(([, type]) => String(type)),
      rows: rows as (string | null)[][],
      groups: Number(groups),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}

/** Compares each cell with that of the CSV. */
export function assertSameCells(table: ParquetTable, csv: Csv): void {
  assert.deepEqual(table.columns, csv.columns);
  assert.equal(table.rows.length, csv.rows.length);
  for (const [place, row] of table.rows.entries())
    for (const [column, cell] of row.entries()) {
      const written = csv.rows[place]![column]!;
      const context: string = `${table.columns[column]} of row ${place}`;
      if (cell === null) assert.equal(written, '', context);
      else if (table.types[column]!.startsWith('DECIMAL'))
        assert.ok(new Decimal(cell).equals(written), `${context}: ${cell} and ${written}`);
      // Text that a spreadsheet would execute is escaped in the CSV alone.
      else assert.ok(written === cell || written === `'${cell}`, `${context}: ${cell}`);
    }
}
