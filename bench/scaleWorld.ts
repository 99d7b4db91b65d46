/**
 * The data of bench/scale.ts: five channels with facts for every endpoint, equal at every size, and
 * the order lines of 195 others, over three years.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollups } from '../schema/warehouse/tables.ts';
import { isoDate } from '../src/calendar/period.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { dollarChannels, insertRecords, runStatements, zone } from './folders.ts';
import { cpuOf, peakOf, type Server, withServer } from './measure.ts';
import {
  adGroupDay,
  campaignDay,
  contentTypes,
  everySku,
  type Format,
  financeEvent,
  firstDay,
  order,
  orderLine,
  searchQuery,
  target,
  textOf,
  trafficRow,
} from './rows.ts';
import { upload } from './upload.ts';

/** The number of channels, and how many of them requests are about. */
export const channels = { all: 200, queried: 5 } as const;
/** From 2024-01-01 to 2026-12-31. */
export const days = 1096;
/** Order lines of a queried channel and day. */
export const linesPerDay = 40;
/** Products of a queried channel with traffic, advertising and searches. */
export const products = 20;

const years = 3;
/** The sums that include order lines. */
const rollupsOfLines = rollups
  .filter(({ from }) => from.includes('order_line'))
  .map(({ name }) => name);
const campaigns = 40;
const months = 36;
const queries = 20;

/** A data set, the key that reads it, and the cost of making it. */
export type World = {
  readonly folder: string;
  readonly key: string;
  readonly lines: number;
  /** Order lines that came through the public import; statements made the others. */
  readonly imported: number;
  readonly rowsPerSecond: number;
  /** CPU of the service in microseconds per imported row. */
  readonly cpu: number;
  /** Peak memory of the importing service, in MiB. */
  readonly peak: number;
  readonly bytes: number;
};

/** The order lines of a channel of `count`, from one to before another. */
function* linesOf(count: number, first: number, end: number) {
  for (let number = first; number < end; number++) {
    const line = orderLine(Math.floor((number * days) / count), number % 400);
    yield { ...line, orderId: `112-${number}`, lineId: String(number) };
  }
}

/** Imports rows of a dataset; returns how many there were. */
async function importRows(
  { address }: Server,
  channelId: string,
  dataset: string,
  rows: Iterable<Record<string, unknown>>,
  format: Format = 'csv',
): Promise<number> {
  const service = { address, authorization: 'Bearer operator-token-of-the-benchmarks' };
  const path = `imports/${dataset}?channelId=${channelId}`;
  const [status, text] = await upload(service, path, textOf(rows, format), contentTypes[format]);
  const answer = JSON.parse(text) as { rowsAccepted: number; rowsRejected: number };
  if (status !== 200 || answer.rowsRejected > 0)
    throw new Error(`${dataset} of ${channelId}: ${text.slice(0, 500)}`);
  return answer.rowsAccepted;
}

/** Imports the facts of one queried channel. */
async function importAsked(service: Server, channelId: string): Promise<void> {
  await importRows(service, channelId, 'orders', everySku(days, linesPerDay, order), 'ndjson');
  for (const [dataset, rows] of [
    ['traffic', everySku(days, products, trafficRow)],
    ['campaignDays', everySku(days, campaigns, campaignDay)],
    ['adGroupDays', everySku(days, campaigns, adGroupDay)],
    [
      'adProductDays',
      everySku(days, products, (day, sku) => {
        const { campaignId: _, ...figures } = campaignDay(day, sku);
        return { ...figures, productId: `B0${String(sku).padStart(8, '0')}`, adType: 'SP' };
      }),
    ],
    ['financeEvents', everySku(days, linesPerDay, financeEvent)],
    ['searchQueries', everySku(months, products * queries, searchQuery)],
    ['targets', everySku(months, 1, target)],
  ] as const)
    await importRows(service, channelId, dataset, rows);
}

/**
 * Adds the lines of channels by statements, by year and channel, as imports leave them. All have
 * the same lines: the first channel's lines and sums are computed, and the others copy them.
 */
async function insertLines(
  folder: string,
  [made, ...copies]: readonly number[],
  count: number,
): Promise<void> {
  await runStatements(
    folder,
    Array.from({ length: years }, (_, year) => linesOfYear(made!, count, year)),
  );
  const warehouse = await openDuckdb(folder);
  await warehouse.rebuild({ importId: 1, channel: made! }, zone);
  await warehouse.close();
  const copied = (table: string, condition: string) =>
    copies.map(
      (channel) => `INSERT INTO ${table} SELECT * REPLACE (${channel} AS channel) FROM ${table}
        WHERE channel = ${made} AND ${condition}`,
    );
  const firstYear = Number(isoDate(firstDay).slice(0, 'YYYY'.length));
  for (let year = 0; year < years; year++)
    await runStatements(folder, copied('order_line', `year(day) = ${firstYear + year}`));
  for (const table of rollupsOfLines) await runStatements(folder, copied(table, 'TRUE'));
}

/** The statement that inserts the lines of a year of a channel that has `count`. */
function linesOfYear(channel: number, count: number, year: number): string {
  const first = Math.floor((count * year) / years);
  const end = Math.floor((count * (year + 1)) / years);
  return `INSERT INTO order_line (channel, import_id, day, order_id, line_id,
    purchased_at, updated_at, items_at, status, sku, product_id, quantity, item_price,
    item_tax, promotion_discount, shipping_price, tax_basis, currency, customer)
    SELECT ${channel}, 1, DATE '1970-01-01' + CAST(purchased_at // 86400 AS INTEGER),
      '112-' || n, CAST(n AS VARCHAR), purchased_at, 0, 0,
      CASE WHEN n % 37 = 0 THEN 'Canceled' ELSE 'Shipped' END,
      printf('SKU-%04d', n % 400), printf('B0%08d', n % 400), 1 + n % 3,
      (999 + (n % 90) * 100) / 100, (n % 900 + 10) / 100,
      CASE WHEN n % 5 = 0 THEN 1.5 ELSE 0 END, 0, '', 'USD',
      left(md5(CAST((n * 17) % 50000 AS VARCHAR)), 22)
    FROM (SELECT n, (${firstDay} + n * ${days} // ${count}) * 86400
      + (n * 7919) % 86400 AS purchased_at FROM range(${first}, ${end}) AS lines(n))`;
}

/** Makes the data of `lines` order lines unless they exist; at most `importedMax` by imports. */
export async function worldOf(lines: number, importedMax: number): Promise<World> {
  const folder = fileURLToPath(new URL(`data/scale-${lines}/`, import.meta.url));
  const marker = join(folder, 'made.json');
  if (existsSync(marker)) return JSON.parse(readFileSync(marker, 'utf8')) as World;
  console.log(`Making ${lines.toLocaleString('en')} order lines (once) ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const { key, inserted } = await insertRecords(registry, dollarChannels(channels.all));
  await registry.close();
  const others = inserted.slice(channels.queried);
  const count = Math.round((lines - channels.queried * days * linesPerDay) / others.length);
  const byImport = others.slice(0, Math.floor(importedMax / count));
  const made = await withServer('service.ts', folder, async (service) => {
    for (const { channelId } of inserted.slice(0, channels.queried))
      await importAsked(service, channelId);
    const before = cpuOf(service.pid);
    const start = performance.now();
    let imported = 0;
    for (let year = 0; year < years; year++) {
      const first = Math.floor((count * year) / years);
      const end = Math.floor((count * (year + 1)) / years);
      for (const { channelId } of byImport)
        imported += await importRows(service, channelId, 'orderLines', linesOf(count, first, end));
    }
    return {
      imported,
      rowsPerSecond: (imported / (performance.now() - start)) * 1000,
      cpu: ((cpuOf(service.pid) - before) / imported) * 1e6,
      peak: peakOf(service.pid),
    };
  });
  const byStatement = others.slice(byImport.length).map(({ channelNumber }) => channelNumber);
  if (byStatement.length > 0) await insertLines(folder, byStatement, count);
  const { size: bytes } = statSync(join(folder, 'warehouse.duckdb'));
  const world: World = { folder, key, lines, ...made, bytes };
  writeFileSync(marker, JSON.stringify(world));
  return world;
}
