/** Tables of rows written as CSV in a test, which take a line each instead of one for every value. */
import { readFileSync } from 'node:fs';

/** A value of a cell. */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself which values it writes.
type Value = any;

/**
 * Rows as objects, by the names of the first line. Spaces around cells and empty lines count for
 * nothing. Numbers, `12n`, true, false and null are values, what stands in quotes is text, and an
 * empty cell leaves its field out of the row.
 */
export function rowsOf(csv: string): Record<string, Value>[] {
  const [names = [], ...rows] = listsOf(csv);
  return rows.map((values) =>
    Object.fromEntries(
      values.flatMap((value, place) => (value === undefined ? [] : [[names[place], value]])),
    ),
  );
}

/** The same cells as lists, without a line of names; an empty cell is undefined. */
export function listsOf(csv: string): Value[][] {
  return csv
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [...`${line},`.matchAll(/\s*("(?:[^"]|"")*"\s*|[^,]*),/g)])
    .map((cells) => cells.map(([, cell]) => read(cell!.trim())));
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

function read(cell: string): unknown {
  if (cell === '') return undefined;
  if (cell.startsWith('"')) return cell.slice(1, -1).replaceAll('""', '"');
  if (/^-?\d+n$/.test(cell)) return BigInt(cell.slice(0, -1));
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell)) return Number(cell);
  return Object.hasOwn(words, cell) ? words[cell] : cell;
}

/** The text of a file beside the module that has this address. */
export const textBeside = (address: string, name: string) =>
  readFileSync(new URL(name, address), 'utf8');

/** Its lines. */
export const linesBeside = (address: string, name: string) =>
  textBeside(address, name).trim().split('\n');

/** Its tables: each after == and its name, comments after #. */
export function tablesBeside(address: string, name: string): Record<string, string> {
  const text = textBeside(address, name).replaceAll(/^#.*\n/gm, '');
  const parts = text.split(/^== /m).slice(1);
  return Object.fromEntries(parts.map((part) => part.split(/\n(.*)/s, 2) as [string, string]));
}

/** The cells of lines, with bars between them and spaces around. */
export function barsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.split(/ \|(?= |$)/).map((cell) => cell.trim()));
}

/** The same as objects, by the names of the first line, without the blank ones. */
export function barredRowsOf(text: string): Partial<Record<string, string>>[] {
  const [names = [], ...rows] = barsOf(text);
  return rows.map((cells) =>
    Object.fromEntries(cells.flatMap((cell, place) => (cell === '' ? [] : [[names[place], cell]]))),
  );
}
