/** Computes rollups in the transaction that changes their facts. */
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type FactTable,
  type Rollup,
  rollupSources,
  rollups,
} from '../../../schema/warehouse/tables.ts';
import { question, tablePattern } from '../question.ts';
import {
  type ChangedDays,
  ordersFromDay,
  rollupDays,
  rollupParameters,
  rollupQuestions,
} from '../rollup.ts';
import type { BatchKey, Parameters } from '../warehouse.ts';
import { days, rows } from './queries.ts';
import { dateOf, quoted } from './schema.ts';
import { runStatement } from './statements.ts';

/** Up to this number, days are added up without counting their facts first. */
const daysAtOnce = 31;
/** The number of facts to add up at a time: their sums are sorted in memory. */
const rowsAtOnce = 2_500_000;

/**
 * Computes the changed days of every rollup. Returns the names of the rollups that had any.
 * `ordersFromBefore` is null for a rebuild; `noted` are the tables of `noteChanged`.
 */
export async function computeRollups(
  connection: DuckDBConnection,
  key: BatchKey,
  timezone: string,
  changed: ChangedDays,
  ordersFromBefore: number | null,
  noted: readonly string[] = [],
): Promise<string[]> {
  const { channel } = key;
  const ordersFrom = ordersFromDay(timezone, await firstPurchase(connection, channel));
  const sourceChanged =
    ordersFromBefore === null || ordersFromBefore === ordersFrom
      ? []
      : await days(
          connection,
          `SELECT DISTINCT day FROM store_day WHERE channel = ${channel}
             AND day >= ${dateOf(Math.min(ordersFromBefore, ordersFrom))}
             AND day < ${dateOf(Math.max(ordersFromBefore, ordersFrom))}`,
        );
  const computed: string[] = [];
  for (const rollup of rollups) {
    const toCompute = rollupDays(rollup, changed, sourceChanged);
    if (toCompute.length === 0) continue;
    computed.push(rollup.name);
    for (const portion of await portionsOf(connection, channel, rollup, toCompute)) {
      const parameters = rollupParameters(channel, timezone, portion, ordersFrom);
      await computeRollup(connection, key, rollup, parameters, noted.includes(rollup.from[0]!));
    }
  }
  return computed;
}

/** Divides the days of a rollup, if there are many, into portions that fit into memory. */
async function portionsOf(
  connection: DuckDBConnection,
  channel: number,
  { from }: Rollup,
  toCompute: readonly number[],
): Promise<readonly (readonly number[])[]> {
  if (toCompute.length <= daysAtOnce) return [toCompute];
  const ofDays = `channel = ${channel} AND day >= ${dateOf(toCompute[0]!)}
    AND day <= ${dateOf(toCompute.at(-1)!)}`;
  const sources = from.map((table) => `SELECT day FROM ${table} WHERE ${ofDays}`);
  const sql = `SELECT day, count(*) AS found FROM (${sources.join(' UNION ALL ')}) GROUP BY day`;
  const found = await rows(connection, sql);
  const counts = new Map(found.map((row) => [row.day as number, row.found as number]));
  return inPortions(toCompute, (day) => counts.get(day) ?? 0, rowsAtOnce);
}

/** Divides days into portions of up to this many rows, or of one day with more. */
export function inPortions(
  all: readonly number[],
  rowsOf: (day: number) => number,
  rowsMax: number,
): number[][] {
  const portions: number[][] = [];
  let rowsTaken = Number.POSITIVE_INFINITY;
  for (const day of all) {
    rowsTaken += rowsOf(day);
    if (rowsTaken > rowsMax) {
      portions.push([]);
      rowsTaken = rowsOf(day);
    }
    portions.at(-1)!.push(day);
  }
  return portions;
}

/**
 * Notes the days and values of removed and staged rows for which alone a rollup may be computed.
 * `removal_NAME` must hold the removed rows, and `isStaged` says whether there are staged ones.
 * Returns false if the rollup is to be computed for whole days: DuckDB plans by the committed rows
 * of a table, and if there are few, it would hold all facts in memory to compare them.
 */
export async function noteChanged(
  connection: DuckDBConnection,
  { name, day }: FactTable,
  isStaged: boolean,
): Promise<boolean> {
  const within = rollups.find((rollup) => rollup.from.includes(name) && rollup.within)?.within;
  if (within === undefined) return false;
  await connection.run(
    `CREATE TEMPORARY TABLE changed_${name} AS
     SELECT ${day} AS day, ${within} FROM ${name}
     WHERE rowid IN (SELECT existing_row FROM removal_${name})
     ${isStaged ? `UNION SELECT ${day}, ${within} FROM staged_${name}` : ''}`,
  );
  const [held] = await rows(
    connection,
    `SELECT estimated_size > (SELECT count(*) FROM changed_${name}) AS exceeds
     FROM duckdb_tables() WHERE table_name = ${quoted(name)}`,
  );
  return held!.exceeds === 1;
}

/** Computes the rows of those days, or only those with the changed values if they are `noted`. */
async function computeRollup(
  connection: DuckDBConnection,
  { channel, importId }: BatchKey,
  { name, columns, key, from, within }: Rollup,
  parameters: Parameters,
  areNoted: boolean,
): Promise<void> {
  const isChanged = (table: string) =>
    within === undefined || !areNoted
      ? 'TRUE'
      : `EXISTS (SELECT 1 FROM changed_${from[0]} AS changed
           WHERE changed.day = ${table}.day AND changed.${within} = ${table}.${within})`;
  const removal = question(
    `removal of ${name}`,
    `DELETE FROM ${name} WHERE channel = {channel:Int32}
       AND day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})
       AND ${isChanged(name)}`,
  );
  await runStatement(connection, removal, parameters);
  const body = rollupQuestions.get(name)!;
  const ofChanged = body.sql.replace(tablePattern, (found, keyword: string, table: string) =>
    isChanged(table) === 'TRUE'
      ? found
      : `${keyword} (SELECT * FROM ${table} WHERE ${isChanged(table)}) AS ${table}`,
  );
  const list = Object.keys(columns).join(', ');
  const sql = `INSERT INTO ${name} (channel, import_id, ${list})
    SELECT ${channel}, ${importId}, ${list} FROM (${ofChanged}) ORDER BY ${key.join(', ')}`;
  await runStatement(connection, { ...body, sql }, parameters);
}

/** All days with facts of a channel, as if an import had changed them. */
export async function allDays(connection: DuckDBConnection, channel: number): Promise<ChangedDays> {
  const byTable = new Map<string, number[]>();
  for (const table of rollupSources) {
    const sql = `SELECT DISTINCT day FROM ${table} WHERE channel = ${channel}`;
    byTable.set(table, await days(connection, sql));
  }
  return { byTable, byDependency: new Map() };
}

/** The instant of a channel's first order line. */
export async function firstPurchase(
  connection: DuckDBConnection,
  channel: number,
): Promise<number | null> {
  const [row] = await rows(
    connection,
    `SELECT min(purchased_at) AS first FROM order_line WHERE channel = ${channel}`,
  );
  return row!.first as number | null;
}
