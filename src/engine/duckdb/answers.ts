/** DuckDB's answers as the rows of the port. */
import { setImmediate } from 'node:timers/promises';
import {
  DuckDBBigIntVector,
  DuckDBBooleanVector,
  type DuckDBDataChunk,
  DuckDBDateVector,
  type DuckDBDecimal16Vector,
  type DuckDBDecimal32Vector,
  type DuckDBDecimal64Vector,
  type DuckDBDecimal128Vector,
  DuckDBHugeIntVector,
  type DuckDBMaterializedResult,
  DuckDBTypeId,
  type DuckDBVector,
} from '@duckdb/node-api';
import type { Row } from '../warehouse.ts';

/** Decimal places of amounts in answers. */
const amountPlaces = 6;

/**
 * The rows of a whole answer, which is in memory already: fetching its portions in other threads
 * would take longer than reading them here. After each portion other work has its turn.
 */
export async function rowsOf(result: DuckDBMaterializedResult): Promise<Row[]> {
  const names = result.columnNames();
  const { chunkCount } = result;
  const rows: Row[] = [];
  for (let index = 0; index < chunkCount; index++) {
    if (index > 0) await setImmediate();
    for (const row of rowsOfChunk(names, result.getChunk(index))) rows.push(row);
  }
  return rows;
}

/** The rows of one portion of an answer. */
export function rowsOfChunk(names: readonly string[], chunk: DuckDBDataChunk): Row[] {
  const rows: Record<string, Row[string]>[] = [];
  const { rowCount } = chunk;
  for (let row = 0; row < rowCount; row++) rows.push({});
  for (const [column, name] of names.entries()) {
    const read = columnReader(chunk.getColumnVector(column));
    for (let row = 0; row < rows.length; row++) rows[row]![name] = read(row);
  }
  return rows;
}

/** Reads one column. Choosing by column instead of by value takes half the time. */
function columnReader(vector: DuckDBVector): (row: number) => Row[string] {
  if (isDecimal(vector)) return amountReader(vector);
  if (vector instanceof DuckDBDateVector) return (row) => vector.getItem(row)?.days ?? null;
  // Like ClickHouse, true becomes 1.
  if (
    vector instanceof DuckDBBigIntVector ||
    vector instanceof DuckDBHugeIntVector ||
    vector instanceof DuckDBBooleanVector
  ) {
    return (row) => {
      const value = vector.getItem(row);
      return value === null ? null : Number(value);
    };
  }
  return (row) => vector.getItem(row) as Row[string];
}

function amountReader(vector: DecimalVector): (row: number) => bigint | null {
  const { scale } = vector.type;
  if (scale > amountPlaces) throw new Error('An answer has an amount with more than six places');
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

type DecimalVector =
  | DuckDBDecimal16Vector
  | DuckDBDecimal32Vector
  | DuckDBDecimal64Vector
  | DuckDBDecimal128Vector;

function isDecimal(vector: DuckDBVector): vector is DecimalVector {
  return vector.type.typeId === DuckDBTypeId.DECIMAL;
}
