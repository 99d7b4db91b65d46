/** Turns staged rows into facts, in the transaction of their import. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactTable } from '../../../schema/warehouse/tables.ts';
import type { BatchKey } from '../warehouse.ts';
import { rows } from './queries.ts';
import { dateOf, quoted } from './schema.ts';

/**
 * About how many bytes of staged rows are sorted at a time. Sorting takes a multiple of that, and
 * fails if a third of DuckDB's memory is not enough.
 */
const portionBytes = 16 * 1024 * 1024;
/** The same for undated rows; each portion reads all of them. */
const rangeBytes = 2 * portionBytes;
/** How many rows of a portion are sampled to find its range. */
const sampledPerRange = 100;

/** The staged rows that become facts. */
export type NewRows = {
  /** The condition that a row becomes a fact. */
  readonly isNew: string;
  /** The condition that a row repeats the figures of an earlier one. */
  readonly isRepeat: string;
  /** The size of the rows in bytes. */
  readonly bytes: number;
};

/** Inserts the staged rows that become facts, and counts them. */
export async function insertStaged(
  connection: DuckDBConnection,
  key: BatchKey,
  table: FactTable,
  { isNew, isRepeat, bytes }: NewRows,
): Promise<number> {
  let inserted = 0;
  for (const { condition, order } of await portionsOf(connection, table, bytes)) {
    const { rowsChanged } = await connection.run(
      `${insertion(key, table, isRepeat)} WHERE ${isNew}${condition} ${order}`,
    );
    inserted += rowsChanged;
  }
  return inserted;
}

/** The insertion, without its condition. */
function insertion({ channel, importId }: BatchKey, table: FactTable, isRepeat: string): string {
  const { name, columns, history, repeats } = table;
  const list = Object.keys(columns);
  const values = list.map((column) => {
    if (column === repeats?.column) return `CAST(${isRepeat} AS INTEGER)`;
    return column === history?.column ? "coalesce(versions_before, '')" : column;
  });
  const before = history
    ? `LEFT JOIN (SELECT number, versions AS versions_before FROM match_${name})
       ON number = staged_number`
    : '';
  return `INSERT INTO ${name} (channel, import_id, ${list.join(', ')})
     SELECT ${channel}, ${importId}, ${values.join(', ')} FROM staged_${name} ${before}`;
}

/**
 * Conditions that divide the staged rows into this many ranges of a text column, about equal in
 * size.
 */
async function rangesOf(
  connection: DuckDBConnection,
  name: string,
  column: string,
  count: number,
): Promise<string[]> {
  if (count === 1) return [''];
  const sampled = await rows(
    connection,
    `SELECT text FROM (SELECT ${column} AS text FROM staged_${name}
       USING SAMPLE ${count * sampledPerRange} ROWS) ORDER BY text`,
  );
  const ends = sampled.flatMap(({ text }, index) =>
    index > 0 && index % sampledPerRange === 0 ? [quoted(text as string)] : [],
  );
  return [...ends, undefined].map((end, index) => {
    const above = index === 0 ? '' : ` AND ${column} > ${ends[index - 1]}`;
    return end === undefined ? above : `${above} AND ${column} <= ${end}`;
  });
}

/**
 * The portions of the staged rows. They are sorted only by day, which questions need to skip
 * blocks: also sorting by text would cost twice as much. Rows of one day need no sorting, nor do
 * rows that were staged day by day.
 */
async function portionsOf(
  connection: DuckDBConnection,
  { name, key, day, removal }: FactTable,
  bytes: number,
): Promise<{ readonly condition: string; readonly order: string }[]> {
  const isNotRemoved = removal ? ` AND ${removal.column} <> ${quoted(removal.value)}` : '';
  if (day === null) {
    const order = `ORDER BY ${key.join(', ')}`;
    const ranges = await rangesOf(connection, name, key[0]!, Math.ceil(bytes / rangeBytes));
    return ranges.map((range) => ({ condition: isNotRemoved + range, order }));
  }
  const found = await rows(
    connection,
    `SELECT ${day} AS day, count(*) AS counted, min(rowid) AS first_row, max(rowid) AS last_row
     FROM staged_${name} GROUP BY 1 ORDER BY 1`,
  );
  const counted = found.map((row) => ({
    day: row.day as number,
    rows: row.counted as number,
    firstRow: row.first_row as number,
    lastRow: row.last_row as number,
  }));
  const rowsMax = (portionBytes / bytes) * counted.reduce((sum, one) => sum + one.rows, 0);
  const portions: { first: number; last: number; rows: number; isSorted: boolean }[] = [];
  let lastRow = -1;
  for (const { day: one, rows: more, firstRow, ...found } of counted) {
    const portion = portions.at(-1);
    if (portion === undefined || portion.rows + more > rowsMax)
      portions.push({ first: one, last: one, rows: more, isSorted: true });
    else {
      portion.last = one;
      portion.rows += more;
      portion.isSorted &&= firstRow > lastRow;
    }
    lastRow = found.lastRow;
  }
  return portions.map(({ first, last, isSorted }) => ({
    condition: `${isNotRemoved} AND ${day} BETWEEN ${dateOf(first)} AND ${dateOf(last)}`,
    order: isSorted ? '' : `ORDER BY ${day}`,
  }));
}
