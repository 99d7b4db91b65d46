/**
 * Imports with checks and rollups, against DuckDB alone reading the same file into a bare table:
 * the limit of any import into DuckDB. `node bench/imports.ts [rows=1000000]`
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { defaultLimits } from '../src/config.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { Importer } from '../src/import/importer.ts';
import { everySku, type Format, orderLine, trafficRow, writeRows } from './rows.ts';

const rowsWanted = Number(process.argv[2] ?? 1_000_000);
const skus = 400;
const days = Math.ceil(rowsWanted / skus);
const rounds = 3;

const bareTypes: Record<string, string> = {
  purchasedAt: 'TIMESTAMPTZ',
  date: 'DATE',
  ...Object.fromEntries(
    'quantity pageViews sessions mobileSessions orderedUnits orderItems'
      .split(' ')
      .map((name) => [name, 'BIGINT']),
  ),
  ...Object.fromEntries(
    'itemPrice itemTax promotionDiscount shippingPrice orderedRevenue buyBoxPercentage'
      .split(' ')
      .map((name) => [name, 'DECIMAL(18,6)']),
  ),
};

/** Rows a second that DuckDB alone reads. */
async function limit(
  folder: string,
  file: string,
  format: Format,
  names: readonly string[],
): Promise<number> {
  const database = join(folder, 'bare.duckdb');
  rmSync(database, { force: true });
  const instance = await DuckDBInstance.create(database, { threads: '2' });
  const connection = await instance.connect();
  const columns = names.map((name) => `'${name}': '${bareTypes[name] ?? 'VARCHAR'}'`).join(', ');
  const source =
    format === 'csv'
      ? `read_csv('${file}', header = true, auto_detect = false, delim = ',', quote = '"', columns = {${columns}})`
      : `read_ndjson('${file}', columns = {${columns}})`;
  const start = performance.now();
  const result = await connection.run(`CREATE TABLE bare AS SELECT * FROM ${source}`);
  const rows = Number((await result.getRows())[0]?.[0] ?? 0);
  const rate = (rows / (performance.now() - start)) * 1000;
  connection.closeSync();
  instance.closeSync();
  return rate;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-imports-'));
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  const importer = new Importer({
    registry,
    warehouse,
    secret: 'benchmark',
    limits: defaultLimits,
  });
  const { records } = registry;
  await records
    .insertInto('organisation')
    .values({
      organisationId: 'o',
      name: 'Bench',
      plan: 'standard',
      apiAccess: 1,
      searchQueryPerformance: 0,
      searchQueryProductMax: 50,
      createdAt: 0,
    })
    .execute();

  console.log(
    `${days * skus} rows a file, ${rounds} rounds each, medians; limit = DuckDB's own reading into a bare table`,
  );
  console.log('dataset     format   imported rows/s      limit rows/s   ratio');
  for (const [dataset, row] of [
    ['orderLines', orderLine],
    ['traffic', trafficRow],
  ] as const) {
    for (const format of ['ndjson', 'csv'] as const) {
      const file = join(folder, `${dataset}.${format}`);
      await writeRows(file, everySku(days, skus, row), format);
      const imported: number[] = [];
      const limits: number[] = [];
      for (let round = 0; round < rounds; round++) {
        limits.push(await limit(folder, file, format, Object.keys(row(0, 0))));
        const channel = await records
          .insertInto('channel')
          .values({
            channelId: `${dataset}-${format}-${round}`,
            organisationId: 'o',
            merchantId: 'm',
            marketplace: 'primarymkt',
            kind: 'seller',
            countryCode: 'USA',
            displayName: 'Bench',
            currency: 'USD',
            timezone: 'America/Los_Angeles',
            hasAdvertisingConnected: 1,
            leadTimeDays: 30,
            safetyStockDays: 14,
            targetCoverDays: 60,
            createdAt: 0,
            updatedAt: 0,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const start = performance.now();
        const request = {
          content: { dataset, format },
          channel,
          acceptsMultiDay: false,
          abortOnRejection: true,
        };
        const answer = await importer.import(
          request,
          createReadStream(file, { highWaterMark: 256 * 1024 }),
        );
        imported.push((answer.rowsAccepted / (performance.now() - start)) * 1000);
      }
      const [rate, best] = [median(imported), median(limits)];
      console.log(
        `${dataset.padEnd(11)} ${format.padEnd(8)} ${rate.toFixed(0).padStart(14)} ${best.toFixed(0).padStart(17)} ${(rate / best).toFixed(2).padStart(7)}`,
      );
      rmSync(file);
    }
  }
  await warehouse.close();
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

await main();
