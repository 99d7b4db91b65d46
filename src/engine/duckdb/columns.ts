/**
 * The columns of DuckDB's answers, read from their bytes: this takes a fraction of the time in
 * which the driver makes their values.
 */
import {
  type DuckDBDataChunk,
  DuckDBDecimalType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import bindings from '@duckdb/node-bindings';
import type { Row } from '../warehouse.ts';

/** Decimal places of amounts in answers. */
const amountPlaces = 6;
/** Wider decimals have 128 bits, other decimals of answers 64 or fewer. */
const digitsOf64Bits = 18;
const digitsOf32Bits = 9;
const bytesOf = { int32: 4, int64: 8, int128: 16 };
const bitsPerMask = 64;
const twoTo32 = 2 ** 32;

/** Reads the value of a column in a row of its chunk. */
export type ColumnReader = (row: number) => Row[string];

/**
 * Makes the reader of a column of a chunk: a date becomes a day number, a whole number of any width
 * and a boolean a number, a decimal an amount in millionths.
 */
export function columnReader(
  chunk: DuckDBDataChunk,
  column: number,
  type: DuckDBType,
): ColumnReader {
  const read = valueReader(chunk, column, type);
  if (read === undefined) {
    const vector = chunk.getColumnVector(column);
    return (row) => vector.getItem(row) as Row[string];
  }
  const isNull = nullsOf(chunk, column);
  return isNull === undefined ? read : (row) => (isNull(row) ? null : read(row));
}

/** Reads the values that are not null; undefined for types whose values the driver makes. */
function valueReader(
  chunk: DuckDBDataChunk,
  column: number,
  type: DuckDBType,
): ((row: number) => number | bigint) | undefined {
  const bytes = (width: number) =>
    bindings.vector_get_data(
      bindings.data_chunk_get_vector(chunk.chunk, column),
      chunk.rowCount * width,
    );
  if (type instanceof DuckDBDecimalType) return amountReader(type, bytes);
  switch (type.typeId) {
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.INTEGER: {
      const values = asInt32(bytes(bytesOf.int32));
      return (row) => values[row]!;
    }
    case DuckDBTypeId.BIGINT: {
      const words = asInt32(bytes(bytesOf.int64));
      return (row) => words[2 * row + 1]! * twoTo32 + (words[2 * row]! >>> 0);
    }
    case DuckDBTypeId.HUGEINT: {
      const read = int128Reader(bytes(bytesOf.int128));
      return (row) => Number(read(row));
    }
    case DuckDBTypeId.BOOLEAN: {
      const values = bytes(1);
      // Like ClickHouse, true becomes 1.
      return (row) => values[row]!;
    }
    default:
      return undefined;
  }
}

function amountReader(
  { width, scale }: DuckDBDecimalType,
  bytes: (width: number) => Uint8Array,
): ((row: number) => bigint) | undefined {
  if (scale > amountPlaces) throw new Error('An answer has an amount with more than six places');
  if (width <= digitsOf32Bits) throw new Error('An answer has an amount of fewer than ten digits');
  const read =
    width > digitsOf64Bits
      ? int128Reader(bytes(bytesOf.int128))
      : int64Reader(bytes(bytesOf.int64));
  if (scale === amountPlaces) return read;
  const factor = 10n ** BigInt(amountPlaces - scale);
  return (row) => read(row) * factor;
}

function int64Reader(bytes: Uint8Array): (row: number) => bigint {
  const values = asInt64(bytes);
  return (row) => values[row]!;
}

/** Most sums fit 64 bits, and are read without arithmetic. */
function int128Reader(bytes: Uint8Array): (row: number) => bigint {
  const words = asInt32(bytes);
  const halves = asInt64(bytes);
  return (row) => {
    const [sign, upper] = [words[4 * row + 1]! >> 31, words[4 * row + 2]!];
    const low = halves[2 * row]!;
    if (upper === sign && words[4 * row + 3] === sign) return low;
    return (halves[2 * row + 1]! << 64n) + BigInt.asUintN(64, low);
  };
}

/** Whether the value of a row is null; undefined for a column without any. */
function nullsOf(chunk: DuckDBDataChunk, column: number): ((row: number) => boolean) | undefined {
  const masks = Math.ceil(chunk.rowCount / bitsPerMask);
  const bytes: Uint8Array | null = bindings.vector_get_validity(
    bindings.data_chunk_get_vector(chunk.chunk, column),
    masks * bytesOf.int64,
  );
  if (bytes === null) return undefined;
  return (row) => (bytes[row >> 3]! & (1 << (row & 7))) === 0;
}

function asInt32({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / bytesOf.int32);
}

function asInt64({ buffer, byteOffset, byteLength }: Uint8Array): BigInt64Array {
  return new BigInt64Array(buffer, byteOffset, byteLength / bytesOf.int64);
}
