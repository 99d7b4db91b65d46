/** Copies of facts out of and into the embedded warehouse. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { facts, factTable, rollups } from '../../../schema/warehouse/tables.ts';
import { copiedColumns, type FactsRange, isInRange } from '../copies.ts';
import type { Question } from '../question.ts';
import type { Parameters } from '../warehouse.ts';
import { count } from './queries.ts';
import { allDays, computeRollups } from './rollups.ts';
import { dateOf, quoted } from './schema.ts';
import { stampTables } from './stamps.ts';
import { runStatement } from './statements.ts';

/** The number of rows that wait in memory to be written together, per thread. */
const rowGroupSize = 20_480;

/** Writes the answer of a question as a Parquet file. */
export async function writeFile(
  connection: DuckDBConnection,
  question: Question,
  parameters: Parameters,
  file: string,
): Promise<void> {
  const sql = `COPY (${question.sql}) TO ${quoted(file)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroupSize})`;
  await runStatement(connection, { ...question, sql }, parameters);
}

/** Replaces the rows of a range by the rows of a file, unless there are `rows` already. */
export async function copyIn(
  connection: DuckDBConnection,
  range: FactsRange,
  rows: number,
  file: string,
): Promise<void> {
  const table = factTable(range.table);
  const isInside = isInRange(range, table.day !== null, dateOf);
  if ((await count(connection, `FROM ${table.name} WHERE ${isInside}`)) === rows) return;
  const columns = copiedColumns(table).join(', ');
  await connection.run(`DELETE FROM ${table.name} WHERE ${isInside}`);
  await connection.run(
    `INSERT INTO ${table.name} (${columns})
     SELECT ${columns} FROM read_parquet(${quoted(file)})`,
  );
}

/** Computes the rollups of a channel's copied facts, and notes the imports that brought them. */
export async function finishCopy(
  connection: DuckDBConnection,
  channel: number,
  imports: readonly number[],
  timezone: string,
): Promise<void> {
  const changed = await allDays(connection, channel);
  for (const name of [...rollups.map((rollup) => rollup.name), 'committed_import'])
    await connection.run(`DELETE FROM ${name} WHERE channel = ${channel}`);
  const importId = imports.at(-1) ?? 0;
  await computeRollups(connection, { channel, importId }, timezone, changed, null);
  await stampTables(
    connection,
    channel,
    [...facts, ...rollups].map(({ name }) => name),
  );
  if (imports.length > 0)
    await connection.run(
      `INSERT INTO committed_import SELECT unnest([${imports.join(', ')}]), ${channel}`,
    );
}
