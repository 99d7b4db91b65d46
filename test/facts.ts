/** Compares the facts of a channel with a table that is written in a test. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { factTable } from '../schema/warehouse/tables.ts';
import { isoDate } from '../src/calendar/period.ts';
import { listsOf } from './table.ts';

/** A channel whose facts can be read: one in memory, or one of a store. */
type Holder = {
  readonly held: (table: string, columns: string) => unknown[][] | Promise<unknown[][]>;
};

const instants = ['purchased_at', 'updated_at', 'posted_at', 'from_at', 'to_at'];

/** The text of a document of `test/fixtures`. */
export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

/** Values as JSON lines. */
export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n');
}

/**
 * Expects that a table has these rows, in any order. The first line of `csv` names the columns;
 * amounts are decimals, instants are ISO 8601, an empty cell is an empty text. With `where`, only
 * rows that it holds for are compared.
 */
export async function holds(
  holder: Holder,
  table: string,
  csv: string,
  where: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<void> {
  const [names, ...expected] = listsOf(csv) as [string[], ...unknown[][]];
  const found = await holder.held(table, names.join(', '));
  const shown = found.map((row) => row.map((value, place) => shownOf(table, names[place]!, value)));
  const wanted = shown.filter((row) =>
    where(Object.fromEntries(row.map((value, place) => [names[place], value]))),
  );
  const written = expected.map((row) =>
    names.map((name, place) => writtenOf(table, name, row[place])),
  );
  assert.deepEqual(sorted(wanted), sorted(written));
}

/** The same, where the table follows as a template. */
export function assertHeld(holder: Holder, table: string, where?: Parameters<typeof holds>[3]) {
  return (texts: TemplateStringsArray, ...values: unknown[]): Promise<void> =>
    holds(holder, table, String.raw({ raw: texts }, ...values), where);
}

function shownOf(table: string, column: string, value: unknown): unknown {
  const type = factTable(table).columns[column];
  if (instants.includes(column) && value !== 0)
    return new Date(Number(value) * 1000).toISOString().replace('.000Z', 'Z');
  if (type === 'Date') return isoDate(Number(value));
  return type === 'Amount' ? Number(value) / 1e6 : value;
}

function writtenOf(table: string, column: string, value: unknown): unknown {
  return factTable(table).columns[column] === 'Text' ? String(value ?? '') : value;
}

function sorted(rows: readonly unknown[][]): unknown[][] {
  const texts = rows.map((row): [string, unknown[]] => [JSON.stringify(row), row]);
  return texts.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
