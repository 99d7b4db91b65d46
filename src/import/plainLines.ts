/** Recognises lines of plain rows: one regular expression checks whole lines with all their cells. */
import { isUtf8 } from 'node:buffer';
import type { PlainRows, PlainType } from '../engine/plainRows.ts';

/** The plain notation of a field. */
export type PlainNotation = {
  readonly as: PlainType;
  /** A regular expression of a whole cell, with neither quotes nor delimiters of any format. */
  readonly pattern?: string;
  /** The maximum number of bytes of a text that has no pattern. */
  readonly bytesMax?: number;
  /** The characters of such a text; by default all except delimiters and control characters. */
  readonly characters?: string;
};

/** A field of lines, in its plain notation. */
export type PlainCell = PlainNotation & {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether JSON writes it without quotes. */
  readonly isNumber: boolean;
};

/** A JSON number that every reader turns into the same text. */
const plainInteger = '0|[1-9]\\d{0,14}';
/** Slices of this length are fastest: they fit in the cache, and their strings are short-lived. */
const sliceBytes = 64 * 1024;
const newline = 0x0a;

/** A regular expression of lines, by their bytes, each with its line end. */
export function plainLine(format: PlainRows['format'], cells: readonly PlainCell[]): RegExp {
  const line =
    'delimiter' in format
      ? cells.map((cell) => delimited(cell, format.delimiter)).join(format.delimiter)
      : `\\{${cells
          .map((cell) => `"${cell.name}"${format.colon}${jsonValue(cell)}`)
          .join(format.comma)}\\}`;
  return new RegExp(`${line}\\n`, 'y');
}

/** The number of lines, if all of them match the expression. */
export function countPlainLines(portion: Buffer, line: RegExp): number | undefined {
  if (!isUtf8(portion)) return undefined;
  let lines = 0;
  for (let start = 0; start < portion.length; ) {
    const end = portion.lastIndexOf(newline, start + sliceBytes) + 1;
    if (end <= start) return undefined;
    const text = portion.toString('latin1', start, end);
    line.lastIndex = 0;
    while (line.test(text)) {
      lines++;
      if (line.lastIndex === text.length) break;
    }
    if (line.lastIndex !== text.length) return undefined;
    start = end;
  }
  return lines;
}

function delimited(cell: PlainCell, delimiter: string): string {
  const value = whole(cell, `[^\\x00-\\x1f"${delimiter}]`);
  return cell.isRequired ? value : `${value}?`;
}

function jsonValue(cell: PlainCell): string {
  const value = whole(cell, '[^\\x00-\\x1f"\\\\]');
  const written = cell.isNumber ? value : `"${value}${cell.isRequired ? '' : '?'}"`;
  return cell.isRequired ? written : `(?:${written}|null)`;
}

function whole({ pattern, isNumber, bytesMax, characters }: PlainCell, others: string): string {
  const text = () => (isNumber ? plainInteger : `${characters ?? others}{1,${bytesMax}}`);
  return `(?:${pattern ?? text()})`;
}
