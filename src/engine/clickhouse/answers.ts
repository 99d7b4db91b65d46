/** ClickHouse's answers as the rows of the port. */
import type { Row as Line } from '@clickhouse/client';
import type { Row } from '../warehouse.ts';
import { endLine } from './settings.ts';

const millisecondsPerDay = 86_400_000;

type Cells = readonly (string | number | boolean | null)[];

/** An answer in the format JSONCompact. */
export type Answer = {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Cells[];
};

/** The rows of a whole answer. */
export function rowsOf({ meta, data }: Answer): Row[] {
  const read = rowReader(
    meta.map((column) => column.name),
    meta.map((column) => column.type),
  );
  return data.map(read);
}

/** Reads the rows of a streamed answer: names, types, rows and the end, a line each. */
export class StreamedRows {
  #names: string[] | undefined;
  #read: ((cells: Cells) => Row) | undefined;
  /** Whether the end of the answer has been read. */
  isComplete = false;

  /** The rows of the next lines. */
  read(lines: readonly Line[]): Row[] {
    const rows: Row[] = [];
    for (const { text } of lines) {
      if (text === endLine) this.isComplete = true;
      else if (this.#read) rows.push(this.#read(JSON.parse(text)));
      else if (this.#names) this.#read = rowReader(this.#names, JSON.parse(text));
      else this.#names = JSON.parse(text);
    }
    return rows;
  }
}

function rowReader(names: readonly string[], types: readonly string[]): (cells: Cells) => Row {
  const readers = types.map(cellReader);
  return (cells) => {
    const row: Record<string, Row[string]> = {};
    for (let column = 0; column < names.length; column++) {
      const cell = cells[column]!;
      row[names[column]!] = cell === null ? null : readers[column]!(cell);
    }
    return row;
  };
}

function cellReader(type: string): (cell: string | number | boolean) => Row[string] {
  const plain = type.replace(/^(?:LowCardinality\()?(?:Nullable\()?(.*?(?<!\)))\)*$/, '$1');
  if (/^(?:U?Int|Float|Bool)/.test(plain)) return Number;
  if (plain.startsWith('Decimal')) return (cell) => millionths(String(cell));
  if (/^Date(?:32)?$/.test(plain)) return (cell) => Date.parse(String(cell)) / millisecondsPerDay;
  return String;
}

function millionths(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  if (fraction.length > 6) throw new Error('An answer has an amount with more than six places');
  const value = BigInt(whole!.replace('-', '') + fraction.padEnd(6, '0'));
  return text.startsWith('-') ? -value : value;
}
