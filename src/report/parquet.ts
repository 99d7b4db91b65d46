/** Writes Parquet files in portions of rows, in constant memory. */
import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { TypedColumn } from './typedColumns.ts';

/** A file that is being written. */
export type ParquetFile<Row> = {
  /** Appends rows. Throws if a cell does not have its column's type. */
  readonly add: (rows: readonly Row[]) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The most rows that wait in memory to be written together; writing more would block requests. */
const groupRows = 2_000;
/** The most digits of a 64-bit decimal. */
const digitsMax = 18;
const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;
const date = /^\d{4}-\d\d-\d\d$/;
const millisecondsPerDay = 86_400_000;

/** A value in a file: text, a day number, or an integer; the integer of a decimal has no point. */
type Value = string | number | bigint | null;

/** Begins a file; `write` receives its bytes. Blank cells are null. */
export function beginParquet<Row>(
  columns: readonly TypedColumn<Row>[],
  write: (bytes: Uint8Array) => Promise<void>,
): ParquetFile<Row> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: (content) => zstdCompressSync(content) },
    createdBy: 'vitrine',
  });
  let group: Value[][] = columns.map(() => []);

  async function flush(): Promise<void> {
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    await write(written);
    await setImmediate();
  }

  async function endGroup(): Promise<void> {
    const rowGroupSize = group[0]!.length;
    if (rowGroupSize === 0) return;
    const columnData = columns.map(({ name }, index) => ({
      name,
      data: group[index]!,
      offsetIndex: false,
    }));
    await file.write({ columnData, rowGroupSize });
    group = columns.map(() => []);
    await flush();
  }

  return {
    async add(rows) {
      for (const row of rows) {
        columns.forEach((column, index) => {
          group[index]!.push(cellValue(column, row));
        });
        if (group[0]!.length === groupRows) await endGroup();
      }
    },
    async end() {
      await endGroup();
      await file.finish();
      await flush();
    },
  };
}

function elementOf<Row>(column: TypedColumn<Row>): SchemaElement {
  const named = { name: column.name, repetition_type: 'OPTIONAL' } as const;
  if (column.type === 'text')
    return column.isDate
      ? { ...named, type: 'INT32', converted_type: 'DATE' }
      : { ...named, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  if (column.digits === 'whole') return { ...named, type: 'INT64' };
  return {
    ...named,
    type: 'INT64',
    converted_type: 'DECIMAL',
    precision: digitsMax,
    scale: column.digits,
  };
}

function cellValue<Row>(column: TypedColumn<Row>, row: Row): Value {
  const cell = column.cell(row);
  if (cell === null || cell === '') return null;
  const text = String(cell);
  const value =
    column.type === 'text'
      ? column.isDate
        ? dayOf(text)
        : text
      : unscaled(text, column.digits === 'whole' ? 0 : column.digits);
  if (value === undefined) throw new Error(`the column ${column.name} does not hold ${text}`);
  return value;
}

function dayOf(text: string): number | undefined {
  return date.test(text) ? Date.parse(text) / millisecondsPerDay : undefined;
}

/** A decimal with this number of places as an integer; undefined if it has more places. */
function unscaled(text: string, places: number): bigint | undefined {
  const [, sign, units, rest = ''] = decimal.exec(text) ?? [];
  if (units === undefined || rest.length > places) return undefined;
  const digits = `${units}${rest.padEnd(places, '0')}`.replace(/^0+(?=.)/, '');
  return digits.length > digitsMax ? undefined : BigInt(`${sign}${digits}`);
}
