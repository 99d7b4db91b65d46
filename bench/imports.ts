/**
 * Imports with checks and rollups, against DuckDB alone reading the same file into a bare table:
 * the limit of any import into DuckDB. Then `orders` of one item against the same `orderLines`, in
 * CPU. `node bench/imports.ts [rows=1000000] [limit|orders]`
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { defaultLimits } from '../src/config.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { Importer } from '../src/import/importer.ts';
import { dollarChannels, insertRecords, secret } from './folders.ts';
import { median } from './measure.ts';
import { everySku, type Format, order, orderLine, trafficRow, writeRows } from './rows.ts';

const rowsWanted = Number(process.argv[2] ?? 1_000_000);
const skus = 400;
const only = process.argv[3];
const rounds = 5;
const ordersRounds = 5;
/** Each import is one into a channel of its own. */
const importsMax = 50;
/** Orders are compared in files of a fifth of the rows. */
const ordersPart = 5;

const counts = 'quantity pageViews sessions mobileSessions orderedUnits orderItems'.split(' ');
const amounts =
  'itemPrice itemTax promotionDiscount shippingPrice orderedRevenue buyBoxPercentage'.split(' ');
const bareTypes: Record<string, string> = {
  purchasedAt: 'TIMESTAMPTZ',
  date: 'DATE',
  ...Object.fromEntries(counts.map((name) => [name, 'BIGINT'])),
  ...Object.fromEntries(amounts.map((name) => [name, 'DECIMAL(18,6)'])),
};

/** The pace of reading a file: rows a second, and the CPU of a row in microseconds. */
type Pace = { readonly rate: number; readonly cpu: number };

/** The pace at which DuckDB alone reads a file. */
async function limit(
  folder: string,
  file: string,
  format: Format,
  names: readonly string[],
): Promise<Pace> {
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
  const before = process.cpuUsage();
  const result = await connection.run(`CREATE TABLE bare AS SELECT * FROM ${source}`);
  const rows = Number((await result.getRows())[0]?.[0] ?? 0);
  const { user, system } = process.cpuUsage(before);
  const rate = (rows / (performance.now() - start)) * 1000;
  connection.closeSync();
  instance.closeSync();
  return { rate, cpu: (user + system) / rows };
}

/** A service's stores in a folder, its importer, and channels without facts. */
async function openStores(folder: string) {
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  const warehouse = await openDuckdb(folder);
  await Promise.all([registry.migrate(), warehouse.migrate()]);
  const { inserted } = await insertRecords(registry, dollarChannels(importsMax));
  const importer = new Importer({ registry, warehouse, secret, limits: defaultLimits });
  return { folder, registry, warehouse, importer, channels: [...inserted] };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/** Imports a file into a new channel. */
async function importFile(
  { importer, channels }: Stores,
  file: string,
  dataset: string,
  format: Format,
): Promise<Pace> {
  const channel = channels.pop()!;
  const content = { dataset, format };
  const start = performance.now();
  const cpu = process.cpuUsage();
  const { rowsAccepted } = await importer.import(
    { content, channel, acceptsMultiDay: false, abortOnRejection: true },
    createReadStream(file, { highWaterMark: 256 * 1024 }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const rate = (rowsAccepted / (performance.now() - start)) * 1000;
  return { rate, cpu: (user + system) / rowsAccepted };
}

async function compareWithLimit(stores: Stores): Promise<void> {
  const days = Math.ceil(rowsWanted / skus);
  console.log(
    `${days * skus} rows a file, ${rounds} rounds each, medians; limit = DuckDB's own reading into a bare table`,
  );
  console.log(
    'dataset     format   imported rows/s      limit rows/s   ratio   CPU µs/row   limit   ratio',
  );
  for (const [dataset, row] of [
    ['orderLines', orderLine],
    ['traffic', trafficRow],
  ] as const) {
    for (const format of ['ndjson', 'csv'] as const) {
      const file = join(stores.folder, `${dataset}.${format}`);
      await writeRows(file, everySku(days, skus, row), format);
      const imported: Pace[] = [];
      const limits: Pace[] = [];
      for (let round = 0; round < rounds; round++) {
        limits.push(await limit(stores.folder, file, format, Object.keys(row(0, 0))));
        imported.push(await importFile(stores, file, dataset, format));
      }
      const of = (paces: readonly Pace[], part: keyof Pace) =>
        median(paces.map((pace) => pace[part]));
      const [rate, best] = [of(imported, 'rate'), of(limits, 'rate')];
      const [cpu, least] = [of(imported, 'cpu'), of(limits, 'cpu')];
      console.log(
        `${dataset.padEnd(11)} ${format.padEnd(8)} ${rate.toFixed(0).padStart(14)} ${best.toFixed(0).padStart(17)} ${(rate / best).toFixed(2).padStart(7)}` +
          ` ${cpu.toFixed(1).padStart(12)} ${least.toFixed(1).padStart(7)} ${(least / cpu).toFixed(2).padStart(7)}`,
      );
      rmSync(file);
    }
  }
}

/** Orders, and their lines in both formats, in turn. */
async function compareOrders(stores: Stores): Promise<void> {
  const days = Math.ceil(rowsWanted / ordersPart / skus);
  const kinds = [
    { dataset: 'orders', format: 'ndjson', row: order },
    { dataset: 'orderLines', format: 'ndjson', row: orderLine },
    { dataset: 'orderLines', format: 'csv', row: orderLine },
  ] as const;
  const files = new Map(
    kinds.map((kind) => [kind, join(stores.folder, `${kind.dataset}.${kind.format}`)]),
  );
  for (const [{ format, row }, file] of files)
    await writeRows(file, everySku<Record<string, unknown>>(days, skus, row), format);
  const found = new Map(kinds.map((kind) => [kind, [] as number[]]));
  for (let round = 0; round <= ordersRounds; round++) {
    for (const [kind, file] of files) {
      const { cpu } = await importFile(stores, file, kind.dataset, kind.format);
      // The first round only warms up.
      if (round > 0) found.get(kind)!.push(cpu);
    }
  }
  const [orders] = found.values();
  console.log(
    `${days * skus} rows a file, ${ordersRounds} rounds in turn, medians; pace of orders = CPU of this row / CPU of an order`,
  );
  console.log('dataset     format   CPU µs/row   pace of orders');
  for (const [{ dataset, format }, cpu] of found) {
    const ratio = median(cpu.map((one, round) => one / orders![round]!));
    console.log(
      `${dataset.padEnd(11)} ${format.padEnd(8)} ${median(cpu).toFixed(1).padStart(10)} ${ratio.toFixed(2).padStart(16)}`,
    );
  }
  for (const file of files.values()) rmSync(file);
}

const stores = await openStores(mkdtempSync(join(tmpdir(), 'vitrine-bench-imports-')));
if (only !== 'orders') await compareWithLimit(stores);
if (only !== 'limit') await compareOrders(stores);
await stores.warehouse.close();
await stores.registry.close();
rmSync(stores.folder, { recursive: true, force: true });
