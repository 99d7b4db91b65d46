/** DuckDB's answers as the rows of the port. */
import { setImmediate } from 'node:timers/promises';
import type {
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBResult,
  DuckDBType,
} from '@duckdb/node-api';
import type { Row } from '../warehouse.ts';
import { type ColumnReader, columnReader } from './columns.ts';

/** Reading and writing this many rows of a report takes less than a millisecond. */
const rowsPerPortion = 256;

/** The name and the type of a column. */
type Column = readonly [name: string, type: DuckDBType];

/**
 * The rows of a whole answer, which is already in memory: fetching its portions in other threads
 * would take longer than reading them here. Other work may run after each portion.
 */
export async function rowsOf(result: DuckDBMaterializedResult): Promise<Row[]> {
  const columns = columnsOf(result);
  const { chunkCount } = result;
  const rows: Row[] = [];
  for (let index = 0; index < chunkCount; index++) {
    if (index > 0) await setImmediate();
    const chunk = result.getChunk(index);
    const readers = readersOf(chunk, columns);
    for (const row of rowsBetween(readers, 0, chunk.rowCount)) rows.push(row);
  }
  return rows;
}

/**
 * The rows of an answer as they are found, in small portions. Other work may run between them: a
 * whole chunk, and the work of callers on it, would take milliseconds.
 */
export async function* portionsOf(result: DuckDBResult): AsyncIterable<Row[]> {
  const columns = columnsOf(result);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    const { rowCount } = chunk;
    const readers = readersOf(chunk, columns);
    for (let first = 0; first < rowCount; first += rowsPerPortion) {
      if (first > 0) await setImmediate();
      yield rowsBetween(readers, first, Math.min(rowCount, first + rowsPerPortion));
    }
  }
}

function columnsOf(result: DuckDBResult): Column[] {
  const types = result.columnTypes();
  return result.columnNames().map((name, index) => [name, types[index]!]);
}

type Reader = readonly [name: string, read: ColumnReader];

function readersOf(chunk: DuckDBDataChunk, columns: readonly Column[]): Reader[] {
  return columns.map(([name, type], index) => [name, columnReader(chunk, index, type)]);
}

/** The rows of a chunk from `first` until before `end`. Reading by columns takes half the time. */
function rowsBetween(readers: readonly Reader[], first: number, end: number): Row[] {
  const rows: Record<string, Row[string]>[] = [];
  for (let row = first; row < end; row++) rows.push({});
  for (const [name, read] of readers)
    for (let row = first; row < end; row++) rows[row - first]![name] = read(row);
  return rows;
}
