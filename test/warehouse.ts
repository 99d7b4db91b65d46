/** Warehouses for the tests of the stores: their suites, rows, imports and questions. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import {
  type ColumnType,
  facts,
  factTable,
  factTables,
  rollups,
} from '../schema/warehouse/tables.ts';
import { dayNumber, isoDate } from '../src/calendar/period.ts';
import { type Question, question } from '../src/engine/question.ts';
import type {
  Ask,
  BatchKey,
  CommitResult,
  Coverage,
  DateRange,
  ImportBatch,
  QueryLimits,
  Row,
  Warehouse,
} from '../src/engine/warehouse.ts';
import { type HandClock, standingClock } from './clock.ts';
import { openStores, pairs, type Stores, takesPart } from './harness.ts';
import { queryClickHouse } from './servers/clickhouse.ts';

/** The cells of a row by their columns; amounts in millionths. */
export type Cells = Record<string, string | number | bigint>;
/** The rows of a document, table by table. */
export type Document = Record<string, readonly Cells[]>;
/** A channel that facts are imported into. */
export type Target = Pick<BatchKey, 'channel'> & { readonly timezone: string };

/** Longer than any test; the clocks of warehouses in tests stand still until they are moved. */
export const limits: QueryLimits = { deadlineMilliseconds: 24 * 3_600_000 };
/** One unit of a currency, in millionths. */
export const million = 1_000_000n;
/** The length of a day. */
export const secondsPerDay = 86_400;
/** The first day of the rows of most tests. */
export const day0 = dayNumber('2026-03-01');
let importsMade = 0;
let channelsMade = 0;

/** An open warehouse and the clock that its deadlines go by. */
export type OpenedWarehouse = Pick<Stores, 'warehouse' | 'clickhouseUrl' | 'close'> & {
  readonly clock: HandClock;
};

/** Opens the warehouse of a pair of stores. */
export async function openWarehouse(pair: Stores['pair']): Promise<OpenedWarehouse> {
  const clock = standingClock();
  const { warehouse, clickhouseUrl, close } = await openStores(pair, clock);
  return { warehouse, clickhouseUrl, close, clock };
}

/** A suite that runs on both engines; its tests share a warehouse, which is open once they run. */
export function onEachWarehouse(
  name: string,
  define: (opened: () => OpenedWarehouse, engine: Warehouse['engine']) => void,
  pairsOf = pairs,
): void {
  for (const pair of pairsOf) {
    const engine = pair === 'embedded' ? 'duckdb' : 'clickhouse';
    describe(`${name} (${engine})`, () => {
      let opened: OpenedWarehouse | undefined;
      before(async () => {
        opened = await openWarehouse(pair);
      });
      after(async () => {
        await opened?.close();
      });
      define(() => opened!, engine);
    });
  }
}

/**
 * A suite of promises that a smaller test compares between the engines. It runs on DuckDB; deep
 * tests run it on both.
 */
export const onOneWarehouse: typeof onEachWarehouse = (name, define) =>
  onEachWarehouse(name, define, pairs.filter(takesPart));

/** A channel that no other test of this process uses. */
export function freshTarget(timezone = 'UTC'): Target {
  return { channel: ++channelsMade, timezone };
}

/** The number of the next import. */
export function nextImport(): number {
  return ++importsMade;
}

const plainNumbers = { Int32: 0, Int64: 0, Float64: 1, Amount: 0n };
const plain: Record<ColumnType, Cells[string]> = { ...plainNumbers, Text: '', Date: day0 };

/** A row of a table with a plain value in every column that is not given. */
export function row(table: string, cells: Cells): Cells {
  const columns = Object.entries(factTable(table).columns);
  const values = columns.map(([column, type]) => [column, cells[column] ?? plain[type]]);
  return Object.fromEntries(values);
}

/** An order line on the day of its instant. */
export function orderLine(cells: Cells & { purchased_at: number }): Cells {
  const day = Math.floor(cells.purchased_at / secondsPerDay);
  const usual = { line_id: '1', status: 'Shipped', quantity: 1, currency: 'USD' };
  return row('order_line', { ...usual, day, ...cells });
}

/** A sale of 1 USD, booked a number of hours after the first day begins. */
export function event(
  unit: string,
  number: number,
  { hour = 0, ...cells }: Cells & { hour?: number },
): Cells {
  const posted_at = day0 * secondsPerDay + hour * 3600;
  const day = Math.floor(posted_at / secondsPerDay);
  const usual = { source: 'rows', line: 'sales', amount: million, currency: 'USD' };
  return row('finance_event', { day, unit, number, posted_at, ...usual, ...cells });
}

function stagedCell(value: Cells[string], type: ColumnType): string {
  if (type === 'Text') return `'${String(value).replaceAll("'", "''")}'`;
  if (type === 'Date') return isoDate(Number(value));
  if (type !== 'Amount') return String(value);
  const digits = String(value).replace('-', '').padStart(7, '0');
  return `${String(value).startsWith('-') ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Stages rows as the reading thread does; the first row stands on line `firstLine`. */
export async function stage(
  warehouse: Warehouse,
  arrival: ImportBatch,
  document: Document,
  firstLine = 1,
): Promise<void> {
  for (const [table, lines] of Object.entries(staged(document, firstLine))) {
    const file = join(warehouse.stagingFolder, `test-${process.pid}-${++importsMade}.csv`);
    writeFileSync(file, lines);
    await arrival.stage(table, file).finally(() => rm(file));
  }
}

/** The staged lines of each table. */
export function staged(document: Document, firstLine = 1): Record<string, string> {
  let number = firstLine;
  const files: Record<string, string> = {};
  for (const [table, rows] of Object.entries(document)) {
    if (rows.length === 0) continue;
    const columns = Object.entries(factTable(table).columns);
    const lines = rows.map(
      (cells) =>
        `${number},${number++},${columns.map(([column, type]) => stagedCell(cells[column]!, type)).join(',')}\n`,
    );
    files[table] = lines.join('');
  }
  return files;
}

/** Imports a document; its dated tables cover the days of their rows, unless `days` says otherwise. */
export async function land(
  warehouse: Warehouse,
  target: Target,
  document: Document,
  days: Record<string, Coverage> = {},
): Promise<CommitResult> {
  const arrival = await warehouse.begin({ ...target, importId: ++importsMade });
  await stage(warehouse, arrival, document);
  return await arrival.commit({ ...daysOf(document), ...days }, target.timezone);
}

/** The days of each table of dated rows, from the first to the last of its rows. */
export function daysOf(document: Document): Record<string, DateRange> {
  const spans: Record<string, DateRange> = {};
  for (const [table, rows] of Object.entries(document)) {
    if (rows.length === 0 || factTable(table).replacement !== 'byDay') continue;
    const days = rows.map((cells) => Number(cells.day));
    spans[table] = { first: Math.min(...days), last: Math.max(...days) };
  }
  return spans;
}

/** Asks a channel for columns of a table. */
const ofChannel = (name: string, columns: string, table = name) =>
  question(name, `SELECT ${columns} FROM ${table} WHERE channel = {channel:Int32}`);

const plainQuestions = new Map(
  factTables.map(({ name, columns }) => [name, ofChannel(name, Object.keys(columns).join(', '))]),
);

/** The rows of a table of a channel, in the order of their keys. */
export async function rowsOf(warehouse: Warehouse, table: string, channel: number): Promise<Row[]> {
  return sorted(table, await warehouse.ask(plainQuestions.get(table)!, { channel }, limits));
}

/** Every row of every table as a text of its cells: a question per table would take ten times as long. */
const contents: Question<{ name: string; import_id: number; cells: string }> = question(
  'contents',
  factTables
    .map(({ name, columns }) => {
      const cells = Object.keys(columns).map((column) => `CAST(${column} AS VARCHAR)`);
      return `SELECT '${name}' AS name, import_id, concat(${cells.join(", '\t', ")}) AS cells
        FROM ${name} WHERE channel = {channel:Int32}`;
    })
    .join(' UNION ALL '),
);

/**
 * All that a channel has, table by table, in the order of the keys; facts with the import that
 * brought them, if wanted. No text may hold a tab.
 */
export async function everything(warehouse: Warehouse, channel: number, withImports = false) {
  const held = Object.fromEntries(factTables.map(({ name }): [string, Cells[]] => [name, []]));
  for (const { name, import_id, cells } of await warehouse.ask(contents, { channel }, limits)) {
    const texts = cells.split('\t');
    const { columns } = factTables.find((table) => table.name === name)!;
    const values = Object.entries(columns).map(
      ([column, type], place) => [column, cellOf(texts[place]!, type)] as const,
    );
    const isFact = facts.some((table) => table.name === name);
    const brought = withImports && isFact && { import_id };
    held[name]!.push({ ...brought, ...Object.fromEntries(values) });
  }
  return Object.fromEntries(Object.entries(held).map(([name, rows]) => [name, sorted(name, rows)]));
}

/** The value of a cell of a column of this type that is written as text. */
export function cellOf(text: string, type: ColumnType): Cells[string] {
  if (type === 'Text') return text;
  if (type === 'Date') return dayNumber(text);
  if (type !== 'Amount') return Number(text);
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole! + fraction.padEnd(6, '0'));
}

/** Rows in the order of the keys of their table. */
export function sorted<R extends Cells | Row>(table: string, rows: readonly R[]): R[] {
  return [...rows].sort((a, b) => {
    const [left, right] = [keyOf(table, a), keyOf(table, b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/** The key of a row as a text. */
export function keyOf(table: string, cells: Cells | Row): string {
  const { key } = [...facts, ...rollups].find((one) => one.name === table)!;
  return JSON.stringify(key.map((column) => String(cells[column])));
}

/**
 * An import that can be recognised by one number in every row: three days of order lines and of
 * traffic.
 */
export function numbered(number: number, lines = 60): Document {
  const orders = Array.from({ length: lines }, (_, place) =>
    orderLine({
      order_id: `O-${place}`,
      purchased_at: (day0 + (place % 3)) * secondsPerDay + 36_000 + place,
      updated_at: number,
      quantity: number,
      item_price: BigInt(number) * million,
    }),
  );
  const totals = [0, 1, 2].map((day) =>
    row('traffic_total', { day: day0 + day, page_views: number, currency: 'USD' }),
  );
  return { order_line: orders, traffic_total: totals };
}

/** The questions about numbered imports. */
export const questionsOfNumbered = {
  lines: ofChannel(
    'lines',
    `count(*) AS lines, min(quantity) AS least, max(quantity) AS most, sum(item_price) AS price`,
    'order_line',
  ),
  slots: ofChannel('slots', 'sum(units) AS units', 'order_slot'),
  days: ofChannel('days', 'sum(units) AS units, sum(page_views) AS views', 'store_day'),
};

/** The number of the one import that all answers show; throws where they show a mixture. */
export async function numberSeen(ask: Ask, channel: number, lines = 60): Promise<number> {
  const [held] = await ask(questionsOfNumbered.lines, { channel });
  const [slots] = await ask(questionsOfNumbered.slots, { channel });
  const [days] = await ask(questionsOfNumbered.days, { channel });
  const isEmpty = held!.lines === 0;
  const number = isEmpty ? 0 : (held!.least as number);
  const units = isEmpty ? null : lines * number;
  const price = isEmpty ? null : BigInt(lines * number) * million;
  const shown = isEmpty ? null : number;
  assert.deepEqual(
    [held, slots, days],
    [
      { lines: isEmpty ? 0 : lines, least: shown, most: shown, price },
      { units },
      { units, views: isEmpty ? null : 3 * number },
    ],
  );
  return number;
}

const digitRows = Array.from({ length: 16 }, (_, digit) => `SELECT ${digit} AS digit`);
/** Sixteen digits to join with each other, for long answers. */
export const digits = `WITH digits AS (${digitRows.join(' UNION ALL ')})`;
const twelve = Array.from({ length: 12 }, (_, place) => place);

/** A question that counts for longer than any test waits. */
export const endless = question(
  'endless',
  `${digits}
   SELECT count(*) AS counted
   FROM ${twelve.map((place) => `digits AS d${place}`).join(' CROSS JOIN ')}
   WHERE (${twelve.map((place) => `d${place}.digit * ${place + 1}`).join(' + ')}) % 1009 = 5`,
);

/** One row for each number of `places` hexadecimal digits, from 0 on. */
export function numbers(places: number): string {
  const all = twelve.slice(0, places);
  const factors = all.map((place) => `CAST(d${place}.digit AS BIGINT) * ${16 ** place}`);
  const joined = all.map((place) => `digits AS d${place}`).join(' CROSS JOIN ');
  return `SELECT ${factors.join(' + ')} AS number FROM ${joined}`;
}

/** Rows for longer than any test waits. */
export const endlessRows = question<{ number: number }>(
  'endlessRows',
  `${digits} SELECT number FROM (${numbers(8)}) AS counted`,
);

/** How many long questions of these tests ClickHouse runs in a database. */
export async function runningQuestions(url: string): Promise<number> {
  const running = `SELECT count() FROM system.processes
    WHERE current_database = currentDatabase() AND query_id <> queryID()
      AND query LIKE '%digits%' AND query_kind = 'Select'`;
  return Number(await queryClickHouse(url, running));
}

/** A question with one row. */
export const one = question('one', 'SELECT 1 AS one');

/** All rows of a stream. */
export async function collected<R extends Row>(portions: AsyncIterable<R[]>): Promise<R[]> {
  const rows: R[] = [];
  for await (const portion of portions) rows.push(...portion);
  return rows;
}
