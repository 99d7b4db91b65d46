/**
 * The format of a segment, little-endian:
 *
 * | bytes | content |
 * |---|---|
 * | 0 to 7 | `VITRSEG` and the version of the format |
 * | 8 to 11 | CRC-32 of everything after them |
 * | 12 to 15 | the length of the header |
 * | from 16 | the header as JSON, padded with blanks, then the columns |
 *
 * Each column begins at a multiple of eight bytes. The first has the days. They and `int32` columns
 * have four bytes a row, `double` and `int64` columns eight, `wide` ones sixteen. Texts have their
 * values in the header, and one, two or four bytes a row for the place of the value. Numbers count
 * multiples of `scale`.
 */
import { crc32 } from 'node:zlib';
import type { Row } from '../warehouse.ts';
import type { TableColumns } from './daySource.ts';
import { DayTable, NumberColumn, TextColumn } from './dayTable.ts';

const magic = Buffer.from('VITRSEG1');
const lengthAt = 12;
const headAt = 16;
const alignment = 8;
const wideBytes = 16;
/** Most amounts are whole hundredths, which take half the memory as such. */
const hundredth = 10_000;
const int32Max = 2 ** 31 - 1;
const int64Max = 2n ** 63n - 1n;

type Kind = 'zero' | 'int32' | 'double' | 'int64' | 'wide';

/** Where a column lies, counted from the end of the header. */
type NumberPart = {
  readonly name: string;
  readonly kind: Kind;
  readonly scale: number;
  /** The sum of the sizes of all numbers, rounded where it exceeds 2^53. */
  readonly size: number;
  readonly at: number;
};
type TextPart = {
  readonly name: string;
  readonly values: readonly string[];
  readonly width: 1 | 2 | 4;
  readonly at: number;
};

type Header = {
  readonly channel: number;
  /** The stamps of the tables that the rows were read from. */
  readonly stamp: string;
  readonly rows: number;
  readonly texts: readonly TextPart[];
  readonly numbers: readonly NumberPart[];
};

type Bytes = Int32Array | Float64Array | BigInt64Array | Uint8Array | Uint16Array | Uint32Array;

/** Writes the rows of a channel as a segment. */
export function segmentOf(
  channel: number,
  stamp: string,
  rows: readonly Row[],
  { texts, counts, amounts }: TableColumns,
): Buffer {
  const sorted = rows.toSorted((one, other) => (one.day as number) - (other.day as number));
  const columns: Bytes[] = [];
  let length = 0;
  const place = (values: Bytes | undefined) => {
    const at = length;
    if (values !== undefined) {
      columns.push(values);
      length += padded(values.byteLength);
    }
    return at;
  };
  place(Int32Array.from(sorted, ({ day }) => day as number));
  const textParts = texts.map((name): TextPart => {
    const { values, places } = textColumn(sorted, name);
    const width = places.BYTES_PER_ELEMENT as TextPart['width'];
    return { name, values, width, at: place(places) };
  });
  const numberParts = [...counts, ...amounts].map((name): NumberPart => {
    const { values, ...part } = numberColumn(sorted.map((row) => row[name] as number | bigint));
    return { name, ...part, at: place(values) };
  });
  const header: Header = {
    channel,
    stamp,
    rows: sorted.length,
    texts: textParts,
    numbers: numberParts,
  };
  return assembled(header, columns, length);
}

function assembled(header: Header, columns: readonly Bytes[], length: number): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const start = padded(headAt + text.length);
  const bytes = Buffer.allocUnsafeSlow(start + length).fill(0);
  magic.copy(bytes);
  bytes.fill(' ', headAt, start);
  text.copy(bytes, headAt);
  bytes.writeUInt32LE(start - headAt, lengthAt);
  let at = start;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(lengthAt)), magic.length);
  return bytes;
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function textColumn(rows: readonly Row[], name: string): TextColumn {
  const places = new Map<string, number>();
  const placeOf = rows.map((row) => {
    const text = row[name] as string;
    const known = places.get(text) ?? places.size;
    places.set(text, known);
    return known;
  });
  const values = [...places.keys()];
  const Places =
    values.length <= 2 ** 8 ? Uint8Array : values.length <= 2 ** 16 ? Uint16Array : Uint32Array;
  return new TextColumn(values, Places.from(placeOf));
}

function numberColumn(
  values: readonly (number | bigint)[],
): Omit<NumberPart, 'name' | 'at'> & { readonly values: Bytes | undefined } {
  const doubles = values.map(Number);
  const largest = doubles.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const size = doubles.reduce((sum, value) => sum + Math.abs(value), 0);
  if (largest === 0) return { kind: 'zero', scale: 1, size, values: undefined };
  if (largest > Number.MAX_SAFE_INTEGER) return { ...wideColumn(values.map(BigInt)), size };
  const scale = doubles.every((value) => value % hundredth === 0) ? hundredth : 1;
  if (largest / scale <= int32Max) {
    const multiples = Int32Array.from(doubles, (value) => value / scale);
    return { kind: 'int32', scale, size, values: multiples };
  }
  return { kind: 'double', scale: 1, size, values: Float64Array.from(doubles) };
}

function wideColumn(
  values: readonly bigint[],
): Pick<NumberPart, 'kind' | 'scale'> & { readonly values: Bytes } {
  if (values.every((value) => value <= int64Max && value >= -int64Max))
    return { kind: 'int64', scale: 1, values: BigInt64Array.from(values) };
  const halves = values.flatMap((value) => [BigInt.asIntN(64, value), value >> 64n]);
  return { kind: 'wide', scale: 1, values: BigInt64Array.from(halves) };
}

/** The rows of a question as a table, of no channel where none is named. */
export function tableOfRows(rows: readonly Row[], columns: TableColumns, channel = 0): DayTable {
  return tableOf(segmentOf(channel, '', rows, columns), '', columns) as DayTable;
}

/** The rows of a question about several channels, as a table for each. */
export function tablesOfRows(rows: readonly Row[], columns: TableColumns): DayTable[] {
  const byChannel = Map.groupBy(rows, ({ channel }) => channel as number);
  return [...byChannel].map(([channel, own]) => tableOfRows(own, columns, channel));
}

/**
 * Opens a segment in place: `bytes` begin a buffer of their own. It is "stale" where it has another
 * format, or was read from other facts or for other columns.
 */
export function tableOf(
  bytes: Buffer,
  stamp: string,
  { texts, counts, amounts }: TableColumns,
): DayTable | 'stale' | 'damaged' {
  if (bytes.length < headAt || bytes.compare(magic, 0, magic.length, 0, magic.length) !== 0)
    return bytes.indexOf(magic.subarray(0, -1)) === 0 ? 'stale' : 'damaged';
  if (bytes.readUInt32LE(magic.length) !== crc32(bytes.subarray(lengthAt))) return 'damaged';
  const start = headAt + bytes.readUInt32LE(lengthAt);
  const header = JSON.parse(bytes.toString('utf8', headAt, start)) as Header;
  const names = (parts: readonly { readonly name: string }[]) => parts.map(({ name }) => name);
  const isSame =
    header.stamp === stamp &&
    names(header.numbers).join() === [...counts, ...amounts].join() &&
    names(header.texts).join() === texts.join();
  if (!isSame) return 'stale';
  const buffer = bytes.buffer as ArrayBuffer;
  const { rows } = header;
  return new DayTable(
    header.channel,
    new Int32Array(buffer, start, rows),
    new Map(
      header.texts.map(({ name, values, width, at }) => {
        const Places = width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array;
        return [name, new TextColumn(values, new Places(buffer, start + at, rows))];
      }),
    ),
    new Map(header.numbers.map((part) => [part.name, opened(part, buffer, start, rows)])),
    amounts,
  );
}

function opened(
  { kind, scale, size, at }: NumberPart,
  buffer: ArrayBuffer,
  start: number,
  rows: number,
): NumberColumn {
  if (kind === 'zero') return new NumberColumn();
  if (kind === 'int32')
    return new NumberColumn({ values: new Int32Array(buffer, start + at, rows), scale, size });
  if (kind === 'double')
    return new NumberColumn({ values: new Float64Array(buffer, start + at, rows), scale, size });
  if (kind === 'int64')
    return new NumberColumn(undefined, new BigInt64Array(buffer, start + at, rows));
  const halves = new BigInt64Array(buffer, start + at, (rows * wideBytes) / alignment);
  return new NumberColumn(
    undefined,
    Array.from({ length: rows }, (_, row) => {
      const low = BigInt.asUintN(64, halves[2 * row]!);
      return (halves[2 * row + 1]! << 64n) + low;
    }),
  );
}
